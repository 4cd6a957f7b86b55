package toystore.frontend.http.money;

import java.math.BigDecimal;
import org.jspecify.annotations.Nullable;
import toystore.frontend.http.json.OptionalField;

/// A request that changes a price.
///
/// @param expectedPrice price that the caller saw; null: not compared
public record Repricing(
    @Decimal BigDecimal price,
    @OptionalField @Decimal(optional = true) @Nullable BigDecimal expectedPrice) {
  public long cents() {
    return DecimalAmounts.toCents(price);
  }

  public @Nullable Long expectedCents() {
    return expectedPrice == null ? null : (Long) DecimalAmounts.toCents(expectedPrice);
  }
}
