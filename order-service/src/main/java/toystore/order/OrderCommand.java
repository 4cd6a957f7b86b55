package toystore.order;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import toystore.platform.idempotency.RequestKey;

/// A command for the writer of the order service.
sealed interface OrderCommand {
  /// Answered with [OrderResult.CartChanged].
  ///
  /// @param key null if the change has none
  record ChangeCart(CartOwner owner, CartChange change, @Nullable RequestKey key, Validity validity)
      implements OrderCommand {}

  /// Deletes the carts of sessions that ended; saved carts stay. Answered with [OrderResult.Done].
  record EndSessions(List<Long> sessionIds) implements OrderCommand {}

  /// Takes the lines out of the cart and records a purchase in state AUTHORISING. Answered with
  /// [OrderResult.Recorded], with [OrderResult.Undecided] if a purchase with this key is in
  /// progress, or with the stored answer.
  ///
  /// @param seen what the buyer saw in the cart; null: not compared
  record BeginPurchase(
      String id, CartOwner owner, @Nullable Cart seen, RequestKey key, Validity validity)
      implements OrderCommand {}

  /// Records the next state of a purchase. Answered with [OrderResult.Recorded].
  ///
  /// @param refused why the purchase ends; null if it goes on. Stored for the purchase's key if its
  ///   reason is kept
  /// @param sellers the seller of each item; empty if not known yet, which it is before the capture
  record RecordPurchase(Purchase next, @Nullable OrderRefused refused, Map<Long, Long> sellers)
      implements OrderCommand {}

  /// Compares sales and returns of the catalog with their purchases. They differ if this database
  /// was restored from a backup that is older than the catalog's, or was deleted. The catalog is
  /// right: the purchase is inserted or changed, and the driver continues it. Answered with
  /// [OrderResult.Done].
  record RecoverPurchases(List<ItemSale> sales) implements OrderCommand {}

  /// How long a command of a customer is valid.
  ///
  /// @param decideBy time after which it is not carried out; null: none
  /// @param cancelled whether the caller no longer waits
  record Validity(@Nullable Instant decideBy, BooleanSupplier cancelled) {
    boolean hasEnded(Instant now) {
      return cancelled.getAsBoolean() || (decideBy != null && now.isAfter(decideBy));
    }
  }
}
