package toystore.frontend.page;

import java.math.RoundingMode;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import toystore.frontend.http.ApiError;
import toystore.frontend.http.IdempotencyKey;
import toystore.frontend.products.ProductView;

/// A toy as a page shows it.
///
/// @param toy the toy as it is now; absent: not sold any more, or nobody knows
/// @param key what its button buys by; the same as long as it is one buy
/// @param note what came of the last press of its button; absent: it was not pressed
record ProductCard(String name, @Nullable ProductView toy, String key, @Nullable Note note) {
  private static final int LOW_STOCK = 5;

  /// Stands where the button stood, so that the second click of a double click meets no button with
  /// another key.
  ///
  /// @param key the key of the button that was pressed
  /// @param order the order's number where one was placed
  record Note(String key, String text, @Nullable Long order) {}

  static ProductCard of(ProductView toy) {
    return new ProductCard(toy.name(), toy, IdempotencyKey.generate().value(), null);
  }

  static ProductCard afterOrder(
      Optional<ProductView> toy, String name, IdempotencyKey key, long order) {
    var note = new Note(key.value(), "Order " + order + " placed", order);
    return new ProductCard(name, toy.orElse(null), IdempotencyKey.generate().value(), note);
  }

  /// What is not known to be refused keeps its key: another try must not buy twice.
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

  /// Whether its button buys. One whose stock nobody knows may be tried.
  public boolean isForSale() {
    return toy == null ? keepsKey() : toy.quantity() > 0;
  }

  public boolean isSoldOut() {
    return toy != null && toy.quantity() == 0;
  }

  /// Whether the button is still that of the buy the note tells of.
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

  /// A picture in a character.
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
