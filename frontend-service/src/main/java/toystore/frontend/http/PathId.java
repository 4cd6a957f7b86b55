package toystore.frontend.http;

import java.util.regex.Pattern;

/// Ids in paths.
public final class PathId {
  private static final Pattern DIGITS = Pattern.compile("[0-9]{1,18}");

  private PathId() {}

  /// Returns the id, or throws `unknown` if the text is not an id.
  public static long parse(String text, ApiException unknown) {
    if (!DIGITS.matcher(text).matches()) {
      throw unknown;
    }
    return Long.parseLong(text);
  }
}
