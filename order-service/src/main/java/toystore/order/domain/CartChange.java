package toystore.order.domain;

import java.math.BigDecimal;
import java.util.List;
import org.jspecify.annotations.Nullable;
import toystore.platform.error.ErrorReason;
import toystore.platform.journal.Answer;
import toystore.platform.journal.Answer.Done;
import toystore.platform.journal.Answer.Refusal;
import toystore.platform.text.Limits;

/// A change of the cart that a session shows.
public sealed interface CartChange {
  /// @param offer null if the item does not exist
  record Add(long itemId, long quantity, @Nullable Offer offer) implements CartChange {}

  /// What the catalog says about an item at the moment.
  record Offer(String name, long priceCents, long stock) {}

  /// @param offer null if the item does not exist
  record AcceptPrice(long itemId, long priceCents, @Nullable Offer offer) implements CartChange {}

  record Remove(long itemId, long quantity) implements CartChange {}

  record Clear() implements CartChange {}

  record Save() implements CartChange {}

  /// What a repeat with the same key must have, too.
  default List<Object> values(long buyerId) {
    return switch (this) {
      case Add add -> List.of("add", buyerId, add.itemId, add.quantity);
      case Remove remove -> List.of("remove", buyerId, remove.itemId, remove.quantity);
      case AcceptPrice accept -> List.of("price", buyerId, accept.itemId, accept.priceCents);
      case Clear _ -> List.of("clear", buyerId);
      case Save _ -> List.of("save", buyerId);
    };
  }

  /// @return the carts after it
  default Answer<CartContents> apply(CartContents before) {
    Cart view = before.view();
    return switch (this) {
      case Add add -> add(add, before);
      case AcceptPrice accept -> accept(accept, before);
      case Remove(long itemId, long quantity) ->
          view.quantity(itemId) < quantity
              ? Refusal.because(
                  ErrorReason.NOT_IN_CART,
                  "the cart must have at least %d units of the item, it has %d",
                  quantity,
                  view.quantity(itemId))
              : new Done<>(before.withView(view.minus(itemId, quantity)));
      case Clear _ -> new Done<>(before.withView(Cart.EMPTY));
      case Save _ -> new Done<>(before.save());
    };
  }

  private static Answer<CartContents> add(Add add, CartContents before) {
    Offer offer = add.offer;
    if (offer == null) {
      return new Refusal<>(ErrorReason.ITEM_NOT_FOUND, "item not found");
    }
    Cart view = before.view();
    long inCart = view.quantity(add.itemId);
    if (add.quantity > Math.min(offer.stock, Cart.MAX_QUANTITY) - inCart) {
      return Refusal.because(
          ErrorReason.NOT_ENOUGH,
          "quantity in the cart must be at most the %d units in stock, got %d",
          offer.stock,
          inCart + add.quantity);
    }
    if (inCart == 0 && view.lines().size() >= Limits.MAX_LINES) {
      return Refusal.because(
          ErrorReason.CART_FULL, "a cart must have at most %d lines", Limits.MAX_LINES);
    }
    long price = view.line(add.itemId).map(CartLine::priceCents).orElse(offer.priceCents);
    var line = new CartLine(add.itemId, offer.name, add.quantity, price);
    return new Done<>(before.withView(view.plus(line)));
  }

  private static Answer<CartContents> accept(AcceptPrice accept, CartContents before) {
    Offer offer = accept.offer;
    if (offer == null) {
      return new Refusal<>(ErrorReason.ITEM_NOT_FOUND, "item not found");
    }
    if (before.view().line(accept.itemId).isEmpty()) {
      return new Refusal<>(ErrorReason.NOT_IN_CART, "the item is not in the cart");
    }
    if (offer.priceCents != accept.priceCents) {
      return Refusal.because(
          ErrorReason.PRICE_CHANGED,
          "\"%s\" costs %s, expected %s",
          offer.name,
          BigDecimal.valueOf(offer.priceCents, 2).toPlainString(),
          BigDecimal.valueOf(accept.priceCents, 2).toPlainString());
    }
    return new Done<>(before.withView(before.view().withPrice(accept.itemId, accept.priceCents)));
  }
}
