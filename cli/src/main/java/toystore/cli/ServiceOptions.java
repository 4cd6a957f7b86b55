package toystore.cli;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// Settings of the services that stand on `up`'s command line, as `--key=value`. They are passed on
/// as they are; what can be seen to be wrong from here stops the start before anything starts.
final class ServiceOptions {
  private static final Pattern SETTING =
      Pattern.compile("--((?:toystore|spring|server|logging|management)\\.[^=]+)(=.*)?");
  private static final Set<String> OF_ALL =
      Set.of(
          "toystore.data",
          "toystore.services",
          "toystore.supervised",
          "toystore.admin-token",
          "toystore.admin-token-file");

  private ServiceOptions() {}

  /// The settings among what is left of the command line.
  static List<String> of(List<String> arguments, Services services) {
    arguments.forEach(argument -> check(argument, services));
    return List.copyOf(arguments);
  }

  /// Refuses settings that the launcher gives itself: two values for one key would be a riddle.
  static void checkAgainst(List<ProcessSpec> parts, List<String> settings) {
    var own = new HashSet<String>();
    parts.forEach(part -> part.arguments().forEach(argument -> own.add(key(argument))));
    for (var setting : settings) {
      if (own.contains(key(setting))) {
        throw new CommandRefused(
            "%s cannot be given: up sets it from --port, --data, --catalog or --listen"
                .formatted(key(setting)));
      }
    }
  }

  private static void check(String argument, Services services) {
    var setting = SETTING.matcher(argument);
    if (!setting.matches()) {
      throw CommandRefused.usage(
          (argument.startsWith("-") ? "unknown option: " : "unknown argument: ") + argument);
    }
    if (setting.group(2) == null) {
      throw CommandRefused.usage("%s needs a value, as in %s=…".formatted(argument, argument));
    }
    var key = setting.group(1);
    if (key.startsWith("toystore.")
        && !OF_ALL.contains(key)
        && owners(services).noneMatch(owner -> key.startsWith("toystore." + owner + "."))) {
      throw new CommandRefused(
          "unknown setting %s; expected toystore.{%s}.… or one of %s"
              .formatted(
                  key,
                  owners(services).collect(Collectors.joining(",")),
                  OF_ALL.stream().sorted().collect(Collectors.joining(", "))));
    }
  }

  private static Stream<String> owners(Services services) {
    return Stream.concat(services.names().stream(), Stream.of("calls"));
  }

  private static String key(String argument) {
    var end = argument.indexOf('=');
    return argument.substring(2, end < 0 ? argument.length() : end);
  }
}
