package toystore.order.domain;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/// The lines of a cart, each with another item, in the order in which they were added, at the
/// prices that the buyer saw.
public record Cart(List<CartLine> lines) {
  public static final long MAX_QUANTITY = Integer.MAX_VALUE;
  public static final Cart EMPTY = new Cart(List.of());

  public Cart {
    lines = List.copyOf(lines);
  }

  public boolean isEmpty() {
    return lines.isEmpty();
  }

  public Optional<CartLine> line(long itemId) {
    return lines.stream().filter(it -> it.itemId() == itemId).findFirst();
  }

  /// 0 if the cart does not have the item.
  long quantity(long itemId) {
    return line(itemId).map(CartLine::quantity).orElse(0L);
  }

  public boolean contains(CartLine line) {
    return quantity(line.itemId()) == line.quantity();
  }

  /// In any order.
  public boolean hasSameLines(Cart other) {
    return unnamed().equals(other.unnamed());
  }

  private Set<CartLine> unnamed() {
    return lines.stream()
        .map(it -> new CartLine(it.itemId(), "", it.quantity(), it.priceCents()))
        .collect(Collectors.toSet());
  }

  /// All units of the item get the price of the added line.
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

  Cart withPrice(long itemId, long priceCents) {
    return new Cart(
        lines.stream().map(it -> it.itemId() == itemId ? it.withPrice(priceCents) : it).toList());
  }

  /// Where both have an item, the other's price counts.
  Cart plus(Cart other) {
    Cart sum = this;
    for (CartLine line : other.lines) {
      sum = sum.plus(line);
    }
    return sum;
  }

  /// Removes units of a line, or all that there are if there are fewer.
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

  /// At the prices of this one.
  Cart inCommon(Cart other) {
    return new Cart(
        lines.stream()
            .map(it -> it.withQuantity(Math.min(it.quantity(), other.quantity(it.itemId()))))
            .filter(it -> it.quantity() > 0)
            .toList());
  }

  public long units() {
    return lines.stream().mapToLong(CartLine::quantity).sum();
  }

  /// @throws ArithmeticException if it does not fit
  public long totalCents() {
    long total = 0;
    for (CartLine line : lines) {
      total = Math.addExact(total, Math.multiplyExact(line.quantity(), line.priceCents()));
    }
    return total;
  }
}
