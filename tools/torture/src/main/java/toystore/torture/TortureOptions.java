package toystore.torture;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The options of a run. The launcher has validated them.
///
/// @param time how long to run; null: until each trial has reached its target count
/// @param seed the random seed
/// @param only names of the trials to run; empty: all
/// @param quick whether to run one short round of each trial
/// @param strict whether a missing tool is a failure
/// @param replay whether the seed is that of a single round to repeat
record TortureOptions(
    @Nullable Duration time,
    long seed,
    List<String> only,
    boolean quick,
    boolean strict,
    boolean replay) {

  static TortureOptions of(List<String> arguments) {
    Duration time = null;
    long seed = 1;
    List<String> only = new ArrayList<>();
    boolean quick = false;
    boolean strict = false;
    boolean replay = false;
    for (String argument : arguments) {
      String value = argument.substring(argument.indexOf('=') + 1);
      switch (argument.replaceAll("=.*", "")) {
        case "--minutes" -> time = Duration.ofMinutes(Long.parseLong(value));
        case "--seed" -> seed = Long.parseLong(value);
        case "--only" -> only.addAll(List.of(value.split(",")));
        case "--quick" -> quick = true;
        case "--strict" -> strict = true;
        case "--replay" -> replay = true;
        default -> throw new IllegalArgumentException("unknown option " + argument);
      }
    }
    return new TortureOptions(time, seed, List.copyOf(only), quick, strict, replay);
  }

  /// The command line with these options.
  String command() {
    var command = new StringBuilder("./toystore torture");
    if (time != null) {
      command.append(" --minutes ").append(time.toMinutes());
    }
    if (!only.isEmpty()) {
      command.append(" --only ").append(String.join(",", only));
    }
    if (quick) {
      command.append(" --quick");
    }
    return command.append(" --seed ").append(seed).toString();
  }
}
