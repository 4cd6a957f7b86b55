package toystore.frontend.page;

import jakarta.validation.constraints.Min;
import jakarta.validation.constraints.NotEmpty;
import jakarta.validation.constraints.NotNull;
import java.math.BigDecimal;
import org.jspecify.annotations.Nullable;
import toystore.frontend.http.json.Expected;
import toystore.frontend.http.key.IdempotencyKey;
import toystore.frontend.http.money.Decimal;
import toystore.frontend.orders.NewOrder;
import toystore.frontend.orders.NewOrder.Trade;

/// The form of a [ProductCard] as a customer sent it.
///
/// @param key idempotency key of the form: it is one order, however often it is sent
/// @param quantity 1 if the form has none
/// @param price what the customer saw for one unit; null if the card had no price
/// @param type direction of a trade; null: a plain order
record BuyForm(
    @NotNull(message = Expected.TEXT) IdempotencyKey key,
    @NotEmpty(message = Expected.TEXT) String name,
    @Min(value = 1, message = Expected.COUNT) Integer quantity,
    @Decimal(
            min = "0.01",
            max = "1000000000.00",
            decimals = 2,
            optional = true,
            message = Decimal.PRICE)
        @Nullable BigDecimal price,
    @Nullable Trade type) {
  BuyForm {
    quantity = quantity == null ? Integer.valueOf(1) : quantity;
  }

  NewOrder order() {
    return NewOrder.of(name, quantity, price, type);
  }
}
