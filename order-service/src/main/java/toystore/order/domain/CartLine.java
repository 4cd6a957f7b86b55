package toystore.order.domain;

/// @param priceCents of a unit, as the buyer saw it
public record CartLine(long itemId, String name, long quantity, long priceCents) {
  CartLine withQuantity(long units) {
    return new CartLine(itemId, name, units, priceCents);
  }

  CartLine withPrice(long cents) {
    return new CartLine(itemId, name, quantity, cents);
  }
}
