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
  record Offer(String name, long sellerId, long priceCents, long stock) {}

  /// Gives a line the price that the buyer accepts.
  ///
  /// @param offer null if the item does not exist
  record AcceptPrice(long itemId, long priceCents, @Nullable Offer offer) implements CartChange {}

  record Remove(long itemId, long quantity) implements CartChange {}

  record Clear() implements CartChange {}

  record Save() implements CartChange {}

  /// The values of the request, which a repeat with the same key must have, too.
  default List<Object> values(long buyerId) {
    return switch (this) {
      case Add add -> List.of("add", buyerId, add.itemId, add.quantity);
      case Remove remove -> List.of("remove", buyerId, remove.itemId, remove.quantity);
      case AcceptPrice accept -> List.of("price", buyerId, accept.itemId, accept.priceCents);
      case Clear _ -> List.of("clear", buyerId);
      case Save _ -> List.of("save", buyerId);
    };
  }
}
