package toystore.frontend.http.money;

import java.math.BigDecimal;
import org.jspecify.annotations.Nullable;
import toystore.frontend.http.json.OptionalField;

/// A request that changes a price.
///
/// @param expectedPrice price that the caller saw; null: not compared
public record Repricing(
    @Decimal(min = "0.01", max = "1000000000.00", decimals = 2, message = Decimal.PRICE)
        BigDecimal price,
    @OptionalField
        @Decimal(
            min = "0.01",
            max = "1000000000.00",
            decimals = 2,
            optional = true,
            message = Decimal.PRICE)
        @Nullable BigDecimal expectedPrice) {
  public long cents() {
    return DecimalAmounts.toCents(price);
  }

  public @Nullable Long expectedCents() {
    return expectedPrice == null ? null : (Long) DecimalAmounts.toCents(expectedPrice);
  }
}
