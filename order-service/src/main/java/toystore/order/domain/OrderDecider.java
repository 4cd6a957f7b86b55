package toystore.order.domain;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import toystore.platform.idempotency.Answer;
import toystore.platform.idempotency.KeyedDecider;
import toystore.platform.idempotency.RequestKey;

/// Decides the commands of a batch. Callers submit an [OrderCommand]; the other methods are the
/// service's own commands and have no idempotency key.
public interface OrderDecider extends KeyedDecider {
  Answer<CartContents> change(CartOwner owner, CartChange change);

  Answer<BegunPurchase> begin(OrderCommand.BeginPurchase command, RequestKey key, Instant now);

  /// Deletes the carts of sessions that ended; saved carts stay.
  ///
  /// @return the number of sessions
  int endSessions(List<Long> sessionIds);

  /// Records the next state of a purchase.
  ///
  /// @param refusal why the purchase ends; null if it goes on. Kept for the purchase's key if its
  ///   reason is
  /// @param sellers the seller of each item; needed for the capture
  /// @return what is recorded now; empty if it cannot be recorded, which is logged
  Optional<Purchase> record(
      Purchase next, Answer.@Nullable Refusal<BegunPurchase.Sold> refusal, Map<Long, Long> sellers);

  /// Compares sales and returns of the catalog with their purchases. They differ if this database
  /// was restored from a backup that is older than the catalog's, or was deleted. The catalog is
  /// right: the purchase is inserted or changed.
  ///
  /// @return the number of those purchases
  int recover(List<ItemSale> sales);
}
