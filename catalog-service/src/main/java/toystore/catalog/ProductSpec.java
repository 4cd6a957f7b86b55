package toystore.catalog;

import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// The values of a product as given by an operator.
///
/// @param category null: not given
/// @param maxVolume null: not given
record ProductSpec(
    String name,
    long priceCents,
    long quantity,
    @Nullable String category,
    @Nullable Long maxVolume) {
  /// 1,000,000,000.00.
  static final long PRICE_LIMIT_CENTS = 100_000_000_000L;

  private static final int NAME_LENGTH = 100;

  /// Control characters, lone surrogates, line separators, and format characters that change the
  /// direction of text (Unicode's Bidi_Control): with them a text can look like another.
  private static final Pattern FORBIDDEN =
      Pattern.compile(
          "[\\p{Cc}\\p{Cs}\\p{Zl}\\p{Zp}\\u061C\\u200E\\u200F\\u202A-\\u202E\\u2066-\\u2069]");

  /// A character that a reader can see. The excluded ones are letters and symbols without a shape.
  private static final Pattern VISIBLE =
      Pattern.compile("[\\p{L}\\p{N}\\p{P}\\p{S}&&[^\\u115F\\u1160\\u2800\\u3164\\uFFA0]]");

  private static final int CATEGORY_LENGTH = 50;

  /// @throws IllegalArgumentException with what was expected and what was received
  ProductSpec {
    checkName(name);
    check("price in cents", priceCents, 1, PRICE_LIMIT_CENTS);
    check("quantity", quantity, 0, Product.STOCK_LIMIT);
    if (category != null) {
      checkText("category", category, 0, CATEGORY_LENGTH);
    }
    if (maxVolume != null) {
      check("max_volume", maxVolume, 0, Product.STOCK_LIMIT);
    }
  }

  Product toProduct(long id) {
    return new Product(
        id,
        null,
        name,
        category == null ? "" : category,
        priceCents,
        quantity,
        0,
        maxVolume,
        false);
  }

  static void checkName(String name) {
    checkText("name", name, 1, NAME_LENGTH);
    if (!VISIBLE.matcher(name).find()) {
      throw new IllegalArgumentException(
          "name must contain a visible character, got only invisible ones: " + codePoints(name));
    }
    if (name.indexOf('/') >= 0 || name.indexOf('%') >= 0 || !name.equals(name.strip())) {
      throw new IllegalArgumentException(
          "name must not contain a slash or percent sign, nor begin or end with a space, got \""
              + name
              + "\"");
    }
  }

  static void checkPrice(long cents) {
    check("price in cents", cents, 1, PRICE_LIMIT_CENTS);
  }

  static void checkText(String what, String text, int min, int max) {
    int length = text.codePointCount(0, text.length());
    if (length < min || length > max) {
      throw new IllegalArgumentException(
          "%s must have %d to %d characters, got %d: \"%s\""
              .formatted(what, min, max, length, shortened(text)));
    }
    Matcher forbidden = FORBIDDEN.matcher(text);
    if (forbidden.find()) {
      throw new IllegalArgumentException(
          "%s must contain no control character, got %s in \"%s\""
              .formatted(what, codePoints(forbidden.group()), shortened(text)));
    }
  }

  static void check(String what, long value, long min, long max) {
    if (value < min || value > max) {
      throw new IllegalArgumentException(
          "%s must be from %d to %d, got %d".formatted(what, min, max, value));
    }
  }

  private static String shortened(String text) {
    String first = text.length() <= NAME_LENGTH ? text : text.substring(0, NAME_LENGTH) + "…";
    return FORBIDDEN.matcher(first).replaceAll("?");
  }

  /// `U+200B U+202E`
  private static String codePoints(String text) {
    return text.codePoints()
        .mapToObj(it -> "U+%04X".formatted(it))
        .collect(Collectors.joining(" "));
  }
}
