package toystore.platform.service;

import static toystore.common.RootLocale.format;

import java.util.regex.Pattern;

/// Checks the value of a setting.
public final class SettingCheck {
  private static final String FORMAT = "static://host:port,…, dns:///host:port or in-process:name";
  private static final String ADDRESS = "([^\\s/:,]+|\\[[^\\s/,]+\\]):\\d{1,5}";
  private static final Pattern TARGET =
      Pattern.compile(format("static://%1$s(,%1$s)*|dns:///%1$s|in-process:\\S+", ADDRESS));

  private SettingCheck() {}

  /// @throws StartupException with the setting, the allowed range and the received value
  public static void range(String setting, long value, long min, long max) {
    if (value < min || value > max) {
      throw new StartupException(
          format("setting %s must be from %d to %d, got %d", setting, min, max, value));
    }
  }

  /// Checks the address of another service, a gRPC target.
  ///
  /// @throws StartupException with the setting, the expected format and the received value
  public static void target(String setting, String target) {
    target(setting, target, FORMAT);
  }

  /// Like [#target(String, String)], for a service that a store may run without: empty if so.
  public static void optionalTarget(String setting, String target) {
    if (!target.isEmpty()) {
      target(setting, target, "empty, " + FORMAT);
    }
  }

  private static void target(String setting, String target, String expected) {
    if (!TARGET.matcher(target).matches()) {
      throw new StartupException(
          format("setting %s must be %s, got \"%s\"", setting, expected, target));
    }
  }
}
