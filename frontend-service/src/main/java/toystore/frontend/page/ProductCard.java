package toystore.frontend.page;

import static toystore.common.RootLocale.format;

import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.web.util.UriUtils;
import toystore.frontend.http.error.ApiException;
import toystore.frontend.http.key.IdempotencyKey;
import toystore.frontend.orders.NewOrder.Trade;
import toystore.frontend.page.BuyController.BuyForm;
import toystore.frontend.products.ProductView;
import toystore.platform.error.ErrorReason;

/// A product on a page, with a form to buy it.
///
/// @param product current state; absent if the product is no longer sold or its state is unknown
/// @param key idempotency key of the form; retries of one order keep it
/// @param quantity number of units in the form
/// @param unitPrice price of one unit in the form, which the order expects; absent if unknown
/// @param note result of the last order; absent if the form was not sent
record ProductCard(
    String name,
    @Nullable ProductView product,
    String key,
    int quantity,
    @Nullable BigDecimal unitPrice,
    @Nullable Note note) {
  private static final int LOW_STOCK = 5;

  /// The categories that have a drawing in `assets/drawings.svg`.
  private static final Set<String> DRAWN =
      Set.of(
          "plush-animals",
          "building-sets",
          "board-games",
          "card-and-dice-games",
          "puzzles",
          "dolls-and-figures",
          "puppets-and-theatre",
          "cars-and-vehicles",
          "trains",
          "science-and-discovery",
          "robots-and-electronics",
          "music",
          "arts-and-crafts",
          "outdoor",
          "baby-and-toddler",
          "pretend-play",
          "stocks");

  /// The result of an order. It is shown in place of the button, so that the second click of a
  /// double click does not hit a button with a new key.
  ///
  /// @param key idempotency key of the pressed button
  /// @param trade direction of a trade; null: a plain order
  /// @param order order number; absent if no order was placed
  record Note(String key, @Nullable Trade trade, String text, @Nullable Long order) {
    /// Id of the pressed button.
    public String id() {
      return buttonId(key, trade);
    }
  }

  /// A button of the form.
  ///
  /// @param type `buy` or `sell` for a trade, else null
  /// @param total price of all units; null if the button is disabled or the price is unknown
  record Offer(
      String id, String label, @Nullable String type, boolean enabled, @Nullable String total) {}

  static ProductCard of(ProductView product, int quantity) {
    return new ProductCard(product.name(), product, newKey(), quantity, product.price(), null);
  }

  /// @param total what the order cost; empty: unknown
  static ProductCard afterOrder(
      Optional<ProductView> product, BuyForm purchase, long order, Optional<String> total) {
    String done =
        purchase.type() == null
            ? "Order " + order + " placed"
            : format("Trade %d: %d %s", order, purchase.quantity(), purchase.type().done());
    String text = done + total.map(it -> ", total " + it).orElse("");
    var note = new Note(purchase.key().value(), purchase.type(), text, order);
    return new ProductCard(
        purchase.name(),
        product.orElse(null),
        newKey(),
        1,
        product.map(ProductView::price).orElse(null),
        note);
  }

  /// If the order may have been placed (5xx), the card keeps its key and its price, so that a retry
  /// is the same order. If the key was used for a different order, the card offers nothing: that
  /// order may have been placed, and its answer lost.
  static ProductCard afterError(
      Optional<ProductView> product, BuyForm purchase, ApiException error) {
    boolean repeats = error.status() >= 500;
    String key = purchase.key().value();
    String text = ErrorTexts.ofOrder(error, product.orElse(null));
    var note = new Note(key, purchase.type(), text, null);
    return new ProductCard(
        purchase.name(),
        error.reason() == ErrorReason.KEY_REUSED ? null : product.orElse(null),
        repeats ? key : newKey(),
        purchase.quantity(),
        repeats ? purchase.price() : product.map(ProductView::price).orElse(null),
        note);
  }

  public boolean isTraded() {
    return product != null && product.maxVolume() != null;
  }

  public boolean isSuspended() {
    return product != null && Boolean.TRUE.equals(product.suspended());
  }

  public boolean isSoldOut() {
    return product != null && product.quantity() == 0;
  }

  /// Whether the form repeats the order that the note describes.
  public boolean keepsKey() {
    return note != null && note.key.equals(key);
  }

  /// The buttons of the form; none if the product is not sold.
  public List<Offer> offers() {
    if (note != null && keepsKey()) {
      return List.of(offer("Try again", note.trade, true));
    }
    if (product == null) {
      return List.of();
    }
    if (isSuspended()) {
      return List.of(offer("Suspended", null, false));
    }
    String buy = note == null || note.order == null ? "Buy" : "Buy another";
    if (isSoldOut()) {
      buy = "Sold out";
    }
    return isTraded()
        ? List.of(offer(buy, Trade.BUY, !isSoldOut()), offer("Sell", Trade.SELL, true))
        : List.of(offer(buy, null, !isSoldOut()));
  }

  public boolean hasQuantity() {
    return offers().stream().anyMatch(Offer::enabled);
  }

  /// Whether the form can put the product into the basket. Stocks are traded one by one.
  public boolean fitsBasket() {
    return hasQuantity() && !keepsKey() && !isTraded();
  }

  private Offer offer(String label, @Nullable Trade trade, boolean enabled) {
    return new Offer(
        buttonId(key, trade),
        label,
        trade == null ? null : trade.word(),
        enabled,
        enabled ? total() : null);
  }

  private static String buttonId(String key, @Nullable Trade trade) {
    return trade == null ? "b-" + key : "b-" + key + "-" + trade.word();
  }

  /// Largest quantity of the form. A sale of stocks to the shop is not limited by the shop's stock.
  public long maxQuantity() {
    return product == null || isTraded()
        ? Integer.MAX_VALUE
        : Math.min(product.quantity(), Integer.MAX_VALUE);
  }

  public String price() {
    return unitPrice == null ? "" : Price.of(unitPrice);
  }

  /// Price of all units in the form; null: unknown.
  public @Nullable String total() {
    return unitPrice == null ? null : Price.of(amount(unitPrice));
  }

  /// What cards cost together; null if a price is unknown.
  static @Nullable String total(List<ProductCard> cards) {
    var sum = BigDecimal.ZERO;
    for (ProductCard card : cards) {
      if (card.unitPrice == null) {
        return null;
      }
      sum = sum.add(card.amount(card.unitPrice));
    }
    return Price.of(sum);
  }

  private BigDecimal amount(BigDecimal price) {
    return price.multiply(BigDecimal.valueOf(quantity));
  }

  /// Price of one unit in cents, for the total that a script updates.
  public String cents() {
    return unitPrice == null ? "" : unitPrice.movePointRight(2).toBigInteger().toString();
  }

  public boolean exceedsStock() {
    return product != null && product.quantity() < quantity;
  }

  public String stock() {
    if (product == null) {
      return "";
    }
    if (product.quantity() == 0) {
      return "sold out";
    }
    String count = String.format(Locale.ENGLISH, "%,d", product.quantity());
    return product.quantity() <= LOW_STOCK && !isTraded()
        ? "only " + count + " left"
        : count + " in stock";
  }

  /// The traded volume of a stock, and its limit.
  public String volume() {
    return isTraded() && product != null
        ? String.format(
            Locale.ENGLISH, "%,d of at most %,d traded", product.volume(), product.maxVolume())
        : "";
  }

  public String category() {
    return product == null || product.category() == null ? "" : product.category();
  }

  public String url() {
    return "/products/" + UriUtils.encode(name, StandardCharsets.UTF_8);
  }

  /// Id of the drawing in `assets/drawings.svg`.
  public String drawing() {
    String id = category().toLowerCase(Locale.ROOT).replace(' ', '-');
    return DRAWN.contains(id) ? id : "gift";
  }

  static String newKey() {
    return IdempotencyKey.generate().value();
  }
}
