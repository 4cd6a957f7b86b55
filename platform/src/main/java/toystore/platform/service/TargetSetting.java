package toystore.platform.service;

import static toystore.common.RootLocale.format;

import java.util.regex.Pattern;

/// Checks the address of another service, a gRPC target.
public final class TargetSetting {
  private static final String FORMAT = "static://host:port,…, dns:///host:port or in-process:name";
  private static final String ADDRESS = "([^\\s/:,]+|\\[[^\\s/,]+\\]):\\d{1,5}";
  private static final Pattern TARGET =
      Pattern.compile(format("static://%1$s(,%1$s)*|dns:///%1$s|in-process:\\S+", ADDRESS));

  private TargetSetting() {}

  /// @throws StartupException with the setting, the expected format and the received value
  public static void check(String setting, String target) {
    check(setting, target, FORMAT);
  }

  /// Like [#check(String, String)], for a service that a store may run without: empty if so.
  public static void checkOptional(String setting, String target) {
    if (!target.isEmpty()) {
      check(setting, target, "empty, " + FORMAT);
    }
  }

  private static void check(String setting, String target, String expected) {
    if (!TARGET.matcher(target).matches()) {
      throw new StartupException(
          format("setting %s must be %s, got \"%s\"", setting, expected, target));
    }
  }
}
