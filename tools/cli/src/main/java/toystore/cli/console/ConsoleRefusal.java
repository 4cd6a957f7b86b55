package toystore.cli.console;

import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/// A request to the console that is refused.
final class ConsoleRefusal extends RuntimeException {
  private static final long serialVersionUID = 1;

  private final int status;

  /// @param status the HTTP status of the answer
  ConsoleRefusal(int status, String format, Object... values) {
    super(String.format(Locale.ROOT, format, values));
    this.status = status;
  }

  static void requireOneOf(String name, @Nullable String value, Set<String> expected) {
    if (value == null || !expected.contains(value)) {
      throw new ConsoleRefusal(
          400,
          "%s must be one of %s; got %s",
          name,
          new TreeSet<>(expected),
          String.valueOf(value));
    }
  }

  int status() {
    return status;
  }
}
