package toystore.frontend.http;

/// Validation of product names. Every valid name fits into one percent-encoded path segment.
public final class ProductNameValidator {
  public static final String RULE =
      "1 to 100 characters, none of them a slash, a percent sign or a control character";

  private static final int MAX_LENGTH = 100;

  private ProductNameValidator() {}

  /// Whether the name is valid.
  public static boolean isValid(String name) {
    return !name.isEmpty()
        && name.codePointCount(0, name.length()) <= MAX_LENGTH
        && name.codePoints().noneMatch(ProductNameValidator::isForbidden);
  }

  /// An unpaired surrogate is not a character.
  private static boolean isForbidden(int c) {
    return c == '/'
        || c == '%'
        || Character.isISOControl(c)
        || Character.getType(c) == Character.SURROGATE;
  }
}
