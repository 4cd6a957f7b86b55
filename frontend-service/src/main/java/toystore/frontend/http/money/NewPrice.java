package toystore.frontend.http.money;

import java.math.BigDecimal;

/// A request that accepts a price.
public record NewPrice(
    @Decimal(min = "0.01", max = "1000000000.00", decimals = 2, message = Decimal.PRICE)
        BigDecimal price) {
  public long cents() {
    return DecimalAmounts.toCents(price);
  }
}
