package toystore.frontend.http;

import java.math.BigDecimal;
import toystore.platform.text.PlainDecimal;

/// Converts amounts between JSON and the integers of the services: cents are JSON numbers, always
/// with a decimal point and without trailing zeros (`12.0`, `25.99`); the exchange's fixed-point
/// amounts are decimal strings without trailing zeros (`12`, `0.5`). Nothing is rounded.
public final class DecimalAmounts {
  private DecimalAmounts() {}

  public static BigDecimal ofCents(long cents) {
    return cents % 10 == 0 ? BigDecimal.valueOf(cents / 10, 1) : BigDecimal.valueOf(cents, 2);
  }

  public static long toCents(BigDecimal price) {
    return toLong(price, 2);
  }

  /// Returns `amount` times 10^`decimals`. It has at most so many decimals.
  public static long toLong(BigDecimal amount, int decimals) {
    return amount.movePointRight(decimals).longValueExact();
  }

  /// Returns the text of `value` / 10^`decimals`.
  public static String text(long value, int decimals) {
    return PlainDecimal.format(value, decimals);
  }
}
