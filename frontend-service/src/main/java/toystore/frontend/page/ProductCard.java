package toystore.frontend.page;

import java.math.RoundingMode;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import toystore.frontend.http.ApiError;
import toystore.frontend.http.IdempotencyKey;
import toystore.frontend.products.ProductView;

/// A toy on a page, with its buy button.
///
/// @param toy current state of the toy; absent if it is no longer sold or its state is unknown
/// @param key idempotency key of the buy button; retries of one order keep it
/// @param note result of the last order; absent if the button was not pressed
record ProductCard(String name, @Nullable ProductView toy, String key, @Nullable Note note) {
  private static final int LOW_STOCK = 5;

  /// The result of an order. It is shown in place of the button, so that the second click of a
  /// double click does not hit a button with a new key.
  ///
  /// @param key idempotency key of the pressed button
  /// @param order order number; absent if no order was placed
  record Note(String key, String text, @Nullable Long order) {}

  static ProductCard of(ProductView toy) {
    return new ProductCard(toy.name(), toy, IdempotencyKey.generate().value(), null);
  }

  static ProductCard afterOrder(
      Optional<ProductView> toy, String name, IdempotencyKey key, long order) {
    var note = new Note(key.value(), "Order " + order + " placed", order);
    return new ProductCard(name, toy.orElse(null), IdempotencyKey.generate().value(), note);
  }

  /// If the order may have been placed (5xx), the card keeps its key, so that a retry cannot buy
  /// twice.
  static ProductCard afterError(
      Optional<ProductView> toy, String name, Optional<IdempotencyKey> key, ApiError error) {
    String text = ErrorTexts.ofOrder(error, toy.isPresent() && toy.get().quantity() == 0);
    boolean mayBeDone = error.status() >= 500 && key.isPresent();
    String pressed = key.map(IdempotencyKey::value).orElse("none");
    return new ProductCard(
        name,
        toy.orElse(null),
        mayBeDone ? pressed : IdempotencyKey.generate().value(),
        new Note(pressed, text, null));
  }

  /// Whether the button is enabled. If the stock is unknown, it is enabled only for a retry.
  public boolean isForSale() {
    return toy == null ? keepsKey() : toy.quantity() > 0;
  }

  public boolean isSoldOut() {
    return toy != null && toy.quantity() == 0;
  }

  /// Whether the button retries the order that the note describes.
  public boolean keepsKey() {
    return note != null && note.key.equals(key);
  }

  public String button() {
    if (note == null) {
      return "Buy";
    }
    return note.order == null ? "Try again" : "Buy another";
  }

  public String price() {
    return toy == null ? "" : toy.price().setScale(2, RoundingMode.UNNECESSARY).toPlainString();
  }

  public String stock() {
    if (toy == null) {
      return "";
    }
    if (toy.quantity() == 0) {
      return "sold out";
    }
    return toy.quantity() <= LOW_STOCK
        ? "only " + toy.quantity() + " left"
        : toy.quantity() + " in stock";
  }

  public String category() {
    return toy == null || toy.category() == null ? "" : toy.category();
  }

  /// An emoji for the category.
  public String symbol() {
    return switch (category()) {
      case "Plush animals" -> "🧸";
      case "Building sets" -> "🧱";
      case "Board games" -> "♟️";
      case "Card and dice games" -> "🎲";
      case "Puzzles" -> "🧩";
      case "Dolls and figures" -> "🪆";
      case "Cars and vehicles" -> "🚗";
      case "Trains" -> "🚂";
      case "Outdoor" -> "🪁";
      case "Science and discovery" -> "🔭";
      case "Robots and electronics" -> "🤖";
      case "Music" -> "🎺";
      case "Arts and crafts" -> "🎨";
      case "Pretend play" -> "👑";
      case "Puppets and theatre" -> "🎭";
      case "Baby and toddler" -> "🐤";
      case "Stocks" -> "📈";
      default -> "🎁";
    };
  }
}
