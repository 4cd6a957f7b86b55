package toystore.order;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/// The lines of a cart, each with another item, in the order in which they were added. The price of
/// a line is the one that the buyer saw.
record Cart(List<CartLine> lines) {
  static final long MAX_QUANTITY = Integer.MAX_VALUE;
  static final Cart EMPTY = new Cart(List.of());

  Cart {
    lines = List.copyOf(lines);
  }

  boolean isEmpty() {
    return lines.isEmpty();
  }

  Optional<CartLine> line(long itemId) {
    return lines.stream().filter(it -> it.itemId() == itemId).findFirst();
  }

  /// Units of an item; 0 if the cart does not have it.
  long quantity(long itemId) {
    return line(itemId).map(CartLine::quantity).orElse(0L);
  }

  /// Whether this cart has the same quantity of the line's item.
  boolean contains(CartLine line) {
    return quantity(line.itemId()) == line.quantity();
  }

  /// Whether both have the same items, quantities and prices, in any order.
  boolean hasSameLines(Cart other) {
    return unnamed().equals(other.unnamed());
  }

  private Set<CartLine> unnamed() {
    return lines.stream()
        .map(it -> new CartLine(it.itemId(), "", it.quantity(), it.priceCents()))
        .collect(Collectors.toSet());
  }

  /// Adds units of an item. All units of the item get the price of the added line.
  Cart plus(CartLine added) {
    long quantity = Math.min(quantity(added.itemId()) + added.quantity(), MAX_QUANTITY);
    CartLine line = added.withQuantity(quantity);
    List<CartLine> after = new ArrayList<>(lines);
    after.replaceAll(it -> it.itemId() == line.itemId() ? line : it);
    if (!after.contains(line)) {
      after.add(line);
    }
    return new Cart(after);
  }

  /// Gives all units of an item another price.
  Cart withPrice(long itemId, long priceCents) {
    return new Cart(
        lines.stream().map(it -> it.itemId() == itemId ? it.withPrice(priceCents) : it).toList());
  }

  /// Adds the units of another cart. Where both have an item, the other's price counts.
  Cart plus(Cart other) {
    Cart sum = this;
    for (CartLine line : other.lines) {
      sum = sum.plus(line);
    }
    return sum;
  }

  /// Removes the units of a line, or all that there are if there are fewer.
  Cart minus(long itemId, long quantity) {
    return new Cart(
        lines.stream()
            .map(it -> it.itemId() == itemId ? it.withQuantity(it.quantity() - quantity) : it)
            .filter(it -> it.quantity() > 0)
            .toList());
  }

  Cart minus(Cart other) {
    Cart difference = this;
    for (CartLine line : other.lines) {
      difference = difference.minus(line.itemId(), line.quantity());
    }
    return difference;
  }

  /// The units that are in both carts, at the prices of this one.
  Cart inCommon(Cart other) {
    return new Cart(
        lines.stream()
            .map(it -> it.withQuantity(Math.min(it.quantity(), other.quantity(it.itemId()))))
            .filter(it -> it.quantity() > 0)
            .toList());
  }

  long units() {
    return lines.stream().mapToLong(CartLine::quantity).sum();
  }

  /// The sum of quantity × price.
  ///
  /// @throws ArithmeticException if it does not fit
  long totalCents() {
    long total = 0;
    for (CartLine line : lines) {
      total = Math.addExact(total, Math.multiplyExact(line.quantity(), line.priceCents()));
    }
    return total;
  }
}
