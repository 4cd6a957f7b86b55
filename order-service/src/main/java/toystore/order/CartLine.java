package toystore.order;

/// Units of an item in a cart or a purchase.
///
/// @param priceCents unit price that the buyer saw
record CartLine(long itemId, String name, long quantity, long priceCents) {
  CartLine withQuantity(long units) {
    return new CartLine(itemId, name, units, priceCents);
  }

  CartLine withPrice(long cents) {
    return new CartLine(itemId, name, quantity, cents);
  }
}
