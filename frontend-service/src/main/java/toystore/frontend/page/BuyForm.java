package toystore.frontend.page;

import jakarta.validation.constraints.Min;
import jakarta.validation.constraints.NotEmpty;
import jakarta.validation.constraints.NotNull;
import org.jspecify.annotations.Nullable;
import toystore.frontend.http.Expected;
import toystore.frontend.http.IdempotencyKey;
import toystore.frontend.orders.NewOrder;
import toystore.frontend.orders.NewOrder.Trade;

/// The form of a [ProductCard] as a customer sent it.
///
/// @param key idempotency key of the form: it is one order, however often it is sent
/// @param quantity 1 if the form has none
/// @param type direction of a trade; null: a plain order
record BuyForm(
    @NotNull(message = Expected.TEXT) IdempotencyKey key,
    @NotEmpty(message = Expected.TEXT) String name,
    @Min(value = 1, message = Expected.COUNT) Integer quantity,
    @Nullable Trade type) {
  BuyForm {
    quantity = quantity == null ? Integer.valueOf(1) : quantity;
  }

  NewOrder order() {
    return NewOrder.of(name, quantity, type);
  }
}
