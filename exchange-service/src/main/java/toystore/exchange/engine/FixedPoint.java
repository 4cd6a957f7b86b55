package toystore.exchange.engine;

import java.math.BigDecimal;
import java.util.OptionalLong;
import java.util.regex.Pattern;

/// Decimal numbers as `long` values with a fixed number of decimals. Nothing is rounded.
///
/// | decimals | used for | smallest | largest |
/// |---|---|---|---|
/// | [#SHARES] = [#PRICE] = 4 | shares, prices | 0.0001 | 922337203685477.5807 |
/// | [#CASH] = 8 | cash = shares × price | 0.00000001 | 92233720368.54775807 |
public final class FixedPoint {
  public static final int SHARES = 4;
  public static final int PRICE = 4;
  public static final int CASH = 8;

  private static final int MAX_LENGTH = 64;
  private static final Pattern PLAIN = Pattern.compile("-?(\\d+(\\.\\d*)?|\\.\\d+)");

  private FixedPoint() {}

  /// Parses digits with at most one sign and point. An exponent is not a plain number. Zeros beyond
  /// the last decimal are allowed, because they change nothing.
  ///
  /// @return empty if the text is not a number, has more decimals, or is too large
  public static OptionalLong parse(String text, int decimals) {
    if (text.length() > MAX_LENGTH || !PLAIN.matcher(text).matches()) {
      return OptionalLong.empty();
    }
    try {
      return OptionalLong.of(new BigDecimal(text).movePointRight(decimals).longValueExact());
    } catch (ArithmeticException _) {
      return OptionalLong.empty();
    }
  }

  /// Returns plain text without trailing zeros, such as `125` or `0.5`.
  public static String format(long value, int decimals) {
    return BigDecimal.valueOf(value, decimals).stripTrailingZeros().toPlainString();
  }
}
