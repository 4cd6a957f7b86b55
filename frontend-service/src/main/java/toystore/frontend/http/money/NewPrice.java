package toystore.frontend.http.money;

import java.math.BigDecimal;

/// A request that accepts a price.
public record NewPrice(@Decimal BigDecimal price) {
  public long cents() {
    return DecimalAmounts.toCents(price);
  }
}
