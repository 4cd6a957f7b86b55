package toystore.frontend.http.paging;

import static toystore.common.RootLocale.format;

import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import toystore.frontend.http.error.ApiException;

/// One page of a list.
///
/// @param next the value of `after` for the next page; absent on the last page
public record PagedResponse<T>(List<T> items, @Nullable Object next) {
  private static final Pattern DIGITS = Pattern.compile("-?[0-9]+");

  /// Parses `after` of a list in the order of ids. Null or empty: 0, the first page.
  public static long parseAfter(@Nullable String value) {
    return value == null || value.isEmpty() ? 0 : parseNumber("after", value, 0, Long.MAX_VALUE);
  }

  /// Parses an integer from a query parameter. Only ASCII digits are accepted.
  public static long parseNumber(String name, String value, long from, long to) {
    try {
      long number = Long.parseLong(value);
      if (number >= from && number <= to && DIGITS.matcher(value).matches()) {
        return number;
      }
    } catch (NumberFormatException e) {
      // reported below
    }
    throw ApiException.badRequest(
        format(
            "%s must be an integer from %d to %d, %s",
            name,
            from,
            to,
            value.isEmpty() ? "but it is missing" : "got " + ApiException.shorten(value)));
  }
}
