package toystore.platform.text;

import java.util.Locale;

/// The limits of requests that several services have, and checks of ranges.
public final class Limits {
  /// Maximum number of lines of a sale, an order or a cart.
  public static final int MAX_LINES = 50;

  /// Maximum number of entries of a page.
  public static final int MAX_PAGE = 200;

  /// Number of entries of a page if a request does not say how many.
  public static final int DEFAULT_PAGE = 50;

  private Limits() {}

  /// @throws IllegalArgumentException with what was expected and what was received
  public static void check(String what, long value, long min, long max) {
    if (value < min || value > max) {
      throw new IllegalArgumentException(
          String.format(Locale.ROOT, "%s must be from %d to %d, got %d", what, min, max, value));
    }
  }

  /// @throws IllegalArgumentException with what was expected and what was received
  public static void checkAtLeast(String what, long value, long min) {
    if (value < min) {
      throw new IllegalArgumentException(
          String.format(Locale.ROOT, "%s must be at least %d, got %d", what, min, value));
    }
  }

  /// @throws IllegalArgumentException unless the limit is from 1 to [#MAX_PAGE]
  public static int page(int limit) {
    check("limit", limit, 1, MAX_PAGE);
    return limit;
  }
}
