package toystore.catalog.domain;

import java.math.BigDecimal;
import org.jspecify.annotations.Nullable;

/// Prices in the bazaar's protocols, in the currency's unit.
public final class BazaarPrices {
  private static final double MAX_UNITS = ProductSpec.PRICE_LIMIT_CENTS / 100.0;

  private BazaarPrices() {}

  /// Exact to the cent, because prices are far below 2⁵³ cents.
  public static double toUnits(long cents) {
    return cents / 100.0;
  }

  /// Such as `10.0` and `25.99`.
  public static String text(long cents) {
    return (cents % 10 == 0 ? BigDecimal.valueOf(cents / 10, 1) : BigDecimal.valueOf(cents, 2))
        .toPlainString();
  }

  /// @return null if it is not a number, out of range, or has more than two decimals
  public static @Nullable Long of(double units) {
    if (!(units > 0 && units <= MAX_UNITS)) {
      return null;
    }
    BigDecimal cents = BigDecimal.valueOf(units).movePointRight(2).stripTrailingZeros();
    return cents.scale() > 0 ? null : cents.longValueExact();
  }
}
