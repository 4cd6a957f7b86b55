package toystore.frontend.http;

import java.math.BigDecimal;

/// Converts cents to JSON amounts: always with a decimal point and without trailing zeros (`12.0`,
/// `25.99`).
public final class DecimalAmounts {
  private DecimalAmounts() {}

  public static BigDecimal ofCents(long cents) {
    return cents % 10 == 0 ? BigDecimal.valueOf(cents / 10, 1) : BigDecimal.valueOf(cents, 2);
  }
}
