package toystore.frontend.carts;

import static toystore.common.RootLocale.format;

import java.math.BigDecimal;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import toystore.frontend.http.error.ApiException;
import toystore.frontend.http.money.DecimalAmounts;

/// The cart that a buyer saw. A purchase buys this cart or nothing.
public record SeenCart(List<Line> lines) {
  private static final Pattern LINE =
      Pattern.compile("(\\d{1,18}):(\\d{1,18})@(\\d{1,18})"); // item:quantity@cents

  record Line(long itemId, long quantity, long priceCents) {}

  public static SeenCart of(CartView cart) {
    return new SeenCart(
        cart.cart().stream()
            .map(it -> new Line(it.itemId(), it.quantity(), DecimalAmounts.toCents(it.price())))
            .toList());
  }

  /// @param text of a form, as [#text] returns it
  public static SeenCart parse(String text) {
    return new SeenCart(Stream.of(text.split(",", -1)).map(SeenCart::line).toList());
  }

  private static Line line(String text) {
    Matcher line = LINE.matcher(text);
    if (!line.matches()) {
      throw ApiException.badRequest(
          format("cart must be ITEM:QUANTITY@CENTS,…, got %s", ApiException.shorten(text)));
    }
    return new Line(
        Long.parseLong(line.group(1)),
        Long.parseLong(line.group(2)),
        Long.parseLong(line.group(3)));
  }

  /// This cart as one field of a form.
  public String text() {
    return lines.stream()
        .map(it -> it.itemId() + ":" + it.quantity() + "@" + it.priceCents())
        .collect(Collectors.joining(","));
  }

  public BigDecimal total() {
    return lines.stream()
        .map(it ->
            DecimalAmounts.ofCents(it.priceCents()).multiply(BigDecimal.valueOf(it.quantity())))
        .reduce(BigDecimal.ZERO, BigDecimal::add);
  }
}
