package toystore.frontend.http.paging;

import java.util.regex.Pattern;
import toystore.frontend.http.error.ApiException;

/// Ids in paths. An id has one spelling: `7`, neither `07` nor `+7`.
public final class PathId {
  private static final Pattern DIGITS = Pattern.compile("0|[1-9][0-9]{0,17}");

  private PathId() {}

  /// Returns the id, or throws `unknown` if the text is not an id.
  public static long parse(String text, ApiException unknown) {
    if (!DIGITS.matcher(text).matches()) {
      throw unknown;
    }
    return Long.parseLong(text);
  }
}
