package toystore.frontend.page;

import org.jspecify.annotations.Nullable;
import toystore.frontend.http.FormBody;
import toystore.frontend.http.IdempotencyKey;
import toystore.frontend.http.PagedResponse;
import toystore.frontend.orders.NewOrder;
import toystore.frontend.orders.NewOrder.Trade;

/// The form of a [ProductCard] as a customer sent it.
///
/// @param key idempotency key of the form: it is one order, however often it is sent
/// @param trade direction of a trade; null: a plain order
record BuyForm(IdempotencyKey key, String name, int quantity, @Nullable Trade trade) {
  static BuyForm of(FormBody form) {
    return new BuyForm(
        IdempotencyKey.fromClient(form.text("key")),
        form.text("name"),
        form.optionalText("quantity").map(BuyForm::quantity).orElse(1),
        form.optionalText("type").isPresent() ? form.choice("type", Trade.class) : null);
  }

  static int quantity(String text) {
    return (int) PagedResponse.parseNumber("quantity", text.strip(), 1, Integer.MAX_VALUE);
  }

  NewOrder order() {
    return NewOrder.of(name, quantity, trade);
  }
}
