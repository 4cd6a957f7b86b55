package toystore.frontend.http;

/// What a product's name may look like. A path segment holds any of them, percent-encoded.
public final class ProductName {
  public static final String RULE =
      "1 to 100 characters, none of them a slash, a percent sign or a control character";

  private static final int MAX_LENGTH = 100;

  private ProductName() {}

  /// Whether a product can bear the name at all.
  public static boolean isValid(String name) {
    return !name.isEmpty()
        && name.codePointCount(0, name.length()) <= MAX_LENGTH
        && name.codePoints().noneMatch(ProductName::isForbidden);
  }

  /// Half a surrogate pair is no character.
  private static boolean isForbidden(int c) {
    return c == '/'
        || c == '%'
        || Character.isISOControl(c)
        || Character.getType(c) == Character.SURROGATE;
  }
}
