package toystore.cli.launch;

import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import toystore.cli.command.CommandRefusal;

/// Settings of the services on the command line of `up`, as `--key=value`. They are passed to the
/// services unchanged, which refuse those that they do not know.
final class ServiceOptions {
  private static final Pattern SETTING =
      Pattern.compile("--((?:toystore|spring|server|logging|management)\\.[^=]+)(=.*)?");

  /// Settings that are no arguments. Each may be the first line of a file, which is a setting.
  private static final List<String> SECRETS =
      List.of("toystore.admin-token", "toystore.database-user", "toystore.database-password");

  private ServiceOptions() {}

  /// Checks the remaining arguments of the command line and returns them as settings.
  static List<String> of(List<String> arguments) {
    arguments.forEach(ServiceOptions::check);
    return List.copyOf(arguments);
  }

  /// Refuses settings that the launcher sets itself: two values for one key would be ambiguous.
  static void checkAgainst(List<ProcessSpec> parts, List<String> settings) {
    var own = new HashSet<String>();
    parts.forEach(part -> part.arguments().forEach(argument -> own.add(key(argument))));
    for (var setting : settings) {
      if (own.contains(key(setting))) {
        throw new CommandRefusal(
            "%s cannot be set: ./toystore up derives it from --port, --data, --catalog, --database or --listen",
            key(setting));
      }
    }
  }

  private static void check(String argument) {
    var setting = SETTING.matcher(argument);
    if (!setting.matches()) {
      throw CommandRefusal.usage(
          (argument.startsWith("-") ? "unknown option: " : "unknown argument: ") + argument);
    }
    if (setting.group(2) == null) {
      throw CommandRefusal.usage("%s needs a value, as in %s=…", argument, argument);
    }
    var key = setting.group(1);
    for (var secret : SECRETS) {
      if (plain(key).equals(plain(secret))) {
        throw new CommandRefusal(
            "%s cannot be given on the command line, which every user of this machine can read; set %s, or --%s-file to a file that contains it",
            key, secret.replaceAll("[-.]", "_").toUpperCase(Locale.ROOT), secret);
      }
    }
  }

  /// A key in the form in which Spring compares keys.
  private static String plain(String key) {
    return key.replaceAll("[-_.]", "").toLowerCase(Locale.ROOT);
  }

  private static String key(String argument) {
    var end = argument.indexOf('=');
    return argument.substring(2, end < 0 ? argument.length() : end);
  }
}
