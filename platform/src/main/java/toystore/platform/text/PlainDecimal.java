package toystore.platform.text;

import java.math.BigDecimal;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.regex.Pattern;

/// Decimal numbers as text, and as `long` values with a fixed number of decimals. All protocols
/// accept the same texts: those of JSON numbers without an exponent. Nothing is rounded.
///
/// | accepted | refused |
/// |---|---|
/// | `5`, `-5`, `0.5`, `1.50000` | `5.`, `.5`, `05`, `+5`, `1e2`, `1,5`, `٥`, and spaces |
public final class PlainDecimal {
  private static final int MAX_LENGTH = 64;
  private static final Pattern FORM = Pattern.compile("-?(0|[1-9][0-9]*)(\\.[0-9]+)?");

  private PlainDecimal() {}

  /// Parses a number of at most 64 characters; empty if the text is not a number.
  public static Optional<BigDecimal> parse(String text) {
    return text.length() <= MAX_LENGTH && FORM.matcher(text).matches()
        ? Optional.of(new BigDecimal(text))
        : Optional.empty();
  }

  /// Parses a number of at most 64 characters. Zeros after the last decimal are allowed, because
  /// they change nothing.
  ///
  /// @return the number times 10^`decimals`; empty if the text is not a number, has more decimals,
  ///   or is too large
  public static OptionalLong parse(String text, int decimals) {
    try {
      return parse(text).stream()
          .mapToLong(it -> it.movePointRight(decimals).longValueExact())
          .findFirst();
    } catch (ArithmeticException _) {
      return OptionalLong.empty();
    }
  }

  public static OptionalLong parseInteger(String text) {
    return text.indexOf('.') < 0 ? parse(text, 0) : OptionalLong.empty();
  }

  /// Returns the text of `value` / 10^`decimals` without trailing zeros, such as `125` or `0.5`.
  public static String format(long value, int decimals) {
    return BigDecimal.valueOf(value, decimals).stripTrailingZeros().toPlainString();
  }
}
