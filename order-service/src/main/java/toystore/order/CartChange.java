package toystore.order;

import java.util.List;
import org.jspecify.annotations.Nullable;

/// A change of the cart that a session shows.
sealed interface CartChange {
  /// Adds units of an item.
  ///
  /// @param offer null if the item does not exist
  record Add(long itemId, long quantity, @Nullable Offer offer) implements CartChange {}

  /// What the catalog says about an item at the moment.
  record Offer(String name, long priceCents, long stock) {}

  record Remove(long itemId, long quantity) implements CartChange {}

  record Clear() implements CartChange {}

  record Save() implements CartChange {}

  /// The values of the request, which a repeat with the same key must have, too.
  default List<Object> values(long buyerId) {
    return switch (this) {
      case Add add -> List.of("add", buyerId, add.itemId, add.quantity);
      case Remove remove -> List.of("remove", buyerId, remove.itemId, remove.quantity);
      case Clear _ -> List.of("clear", buyerId);
      case Save _ -> List.of("save", buyerId);
    };
  }
}
