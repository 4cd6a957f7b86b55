package toystore.frontend.http;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// A part of a list.
///
/// @param next what to give as `after` for the next part; absent: this is the last
@JsonInclude(JsonInclude.Include.NON_NULL)
public record ResultPage<T>(List<T> items, @Nullable Object next) {
  private static final int DEFAULT_LIMIT = 50;
  private static final int MAX_LIMIT = 200;
  private static final Pattern INTEGER = Pattern.compile("-?[0-9]+");

  /// How many items a request wants; empty: 50.
  public static int limit(String given) {
    return given.isEmpty() ? DEFAULT_LIMIT : (int) number("limit", given, 1, MAX_LIMIT);
  }

  /// A whole number from a query, in the digits that JSON has.
  public static long number(String name, String given, long from, long to) {
    try {
      long number = Long.parseLong(given);
      if (number >= from && number <= to && INTEGER.matcher(given).matches()) {
        return number;
      }
    } catch (NumberFormatException e) {
      // said below
    }
    throw ApiError.badRequest(
        "%s must be an integer from %d to %d, got %s".formatted(name, from, to, shown(given)));
  }

  private static String shown(String given) {
    return given.length() > 40 ? given.substring(0, 40) + "…" : given;
  }
}
