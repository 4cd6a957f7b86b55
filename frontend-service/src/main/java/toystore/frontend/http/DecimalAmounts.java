package toystore.frontend.http;

import java.math.BigDecimal;
import java.util.OptionalLong;
import java.util.regex.Pattern;

/// Converts amounts between JSON and the integers of the services: cents are JSON numbers, always
/// with a decimal point and without trailing zeros (`12.0`, `25.99`); the exchange's fixed-point
/// amounts are decimal strings without trailing zeros (`12`, `0.5`). Nothing is rounded.
public final class DecimalAmounts {
  private static final Pattern DECIMAL = Pattern.compile("[0-9]{1,15}([.][0-9]{1,8})?");
  private static final int MAX_DIGITS = 19;

  private DecimalAmounts() {}

  public static BigDecimal ofCents(long cents) {
    return cents % 10 == 0 ? BigDecimal.valueOf(cents / 10, 1) : BigDecimal.valueOf(cents, 2);
  }

  /// Returns the text of `value` / 10^`decimals`.
  public static String text(long value, int decimals) {
    return BigDecimal.valueOf(value, decimals).stripTrailingZeros().toPlainString();
  }

  /// Completes "NAME must be".
  static String expected(int decimals, long min) {
    return "an amount from %s to %s with at most %d decimals"
        .formatted(text(min, decimals), text(Long.MAX_VALUE, decimals), decimals);
  }

  /// Parses an amount of at most 15 digits and `decimals` decimals. Returns it times 10^`decimals`,
  /// or empty if it is malformed or too large.
  static OptionalLong parse(String text, int decimals) {
    if (!DECIMAL.matcher(text).matches()) {
      return OptionalLong.empty();
    }
    var amount = new BigDecimal(text);
    return amount.scale() > decimals ? OptionalLong.empty() : exact(amount, decimals);
  }

  /// Returns an amount times 10^`decimals`; empty if it is negative, has more decimals, or is too
  /// large.
  static OptionalLong exact(BigDecimal amount, int decimals) {
    BigDecimal shortest = amount.stripTrailingZeros();
    if (amount.signum() < 0
        || shortest.scale() > decimals
        || shortest.precision() - shortest.scale() > MAX_DIGITS) {
      return OptionalLong.empty();
    }
    var units = shortest.movePointRight(decimals).toBigIntegerExact();
    return units.bitLength() < Long.SIZE
        ? OptionalLong.of(units.longValueExact())
        : OptionalLong.empty();
  }
}
