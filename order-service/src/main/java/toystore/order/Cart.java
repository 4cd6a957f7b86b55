package toystore.order;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// The lines of a cart, each with another item, in the order in which they were added. The price of
/// a line is the one that the buyer saw.
record Cart(List<Order.Line> lines) {
  static final int MAX_LINES = 50;
  static final long MAX_QUANTITY = Integer.MAX_VALUE;
  static final Cart EMPTY = new Cart(List.of());

  Cart {
    lines = List.copyOf(lines);
  }

  boolean isEmpty() {
    return lines.isEmpty();
  }

  Optional<Order.Line> line(long itemId) {
    return lines.stream().filter(it -> it.productId() == itemId).findFirst();
  }

  /// Units of an item; 0 if the cart does not have it.
  long quantity(long itemId) {
    return line(itemId).map(Order.Line::quantity).orElse(0L);
  }

  /// Whether this cart has the same quantity of the line's item.
  boolean contains(Order.Line line) {
    return quantity(line.productId()) == line.quantity();
  }

  /// Adds units of an item. All units of the item get the price of the added line.
  Cart plus(Order.Line added) {
    long quantity = Math.min(quantity(added.productId()) + added.quantity(), MAX_QUANTITY);
    var line = new Order.Line(added.productId(), added.name(), quantity, added.priceCents());
    List<Order.Line> after = new ArrayList<>(lines);
    after.replaceAll(it -> it.productId() == line.productId() ? line : it);
    if (!after.contains(line)) {
      after.add(line);
    }
    return new Cart(after);
  }

  /// Gives all units of an item another price.
  Cart withPrice(long itemId, long priceCents) {
    return new Cart(
        lines.stream()
            .map(it ->
                it.productId() == itemId
                    ? new Order.Line(itemId, it.name(), it.quantity(), priceCents)
                    : it)
            .toList());
  }

  /// Adds the units of another cart. Where both have an item, the other's price counts.
  Cart plus(Cart other) {
    Cart sum = this;
    for (Order.Line line : other.lines) {
      sum = sum.plus(line);
    }
    return sum;
  }

  /// Removes the units of a line, or all that there are if there are fewer.
  Cart minus(long itemId, long quantity) {
    return new Cart(
        lines.stream()
            .map(it -> it.productId() == itemId ? withQuantity(it, it.quantity() - quantity) : it)
            .filter(it -> it.quantity() > 0)
            .toList());
  }

  Cart minus(Cart other) {
    Cart difference = this;
    for (Order.Line line : other.lines) {
      difference = difference.minus(line.productId(), line.quantity());
    }
    return difference;
  }

  /// The units that are in both carts, at the prices of this one.
  Cart inCommon(Cart other) {
    return new Cart(
        lines.stream()
            .map(it -> withQuantity(it, Math.min(it.quantity(), other.quantity(it.productId()))))
            .filter(it -> it.quantity() > 0)
            .toList());
  }

  long units() {
    return lines.stream().mapToLong(Order.Line::quantity).sum();
  }

  /// The sum of quantity × price.
  ///
  /// @throws ArithmeticException if it does not fit
  long totalCents() {
    long total = 0;
    for (Order.Line line : lines) {
      total = Math.addExact(total, Math.multiplyExact(line.quantity(), line.priceCents()));
    }
    return total;
  }

  private static Order.Line withQuantity(Order.Line line, long quantity) {
    return new Order.Line(line.productId(), line.name(), quantity, line.priceCents());
  }
}
