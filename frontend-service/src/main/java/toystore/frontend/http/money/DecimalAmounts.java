package toystore.frontend.http.money;

import java.math.BigDecimal;

/// Converts amounts between JSON numbers and the integers of the services. Cents always have a
/// decimal point, without trailing zeros: `12.0`, `25.99`. Nothing is rounded.
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
}
