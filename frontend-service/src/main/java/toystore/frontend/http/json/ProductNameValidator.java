package toystore.frontend.http.json;

/// Whether a name in a request can be that of a product, perhaps one that an earlier version added.
/// Any other is unknown. New names have stricter rules: [toystore.platform.text.IdentifierText].
public final class ProductNameValidator {
  private static final int MAX_LENGTH = 400; // 100 characters in NFC may be more as they are sent

  private ProductNameValidator() {}

  public static boolean isValid(String name) {
    return !name.isEmpty()
        && name.length() <= MAX_LENGTH
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
