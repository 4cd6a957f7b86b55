package toystore.order;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import toystore.platform.idempotency.Answer;
import toystore.platform.idempotency.KeyedCommand;
import toystore.platform.idempotency.RequestKey;

/// A command for the writer of the order service.
///
/// @param <T> what it makes or changes
sealed interface OrderCommand<T> extends KeyedCommand<OrderDecider, T, OrderRefusal> {
  record ChangeCart(CartOwner owner, CartChange change) implements OrderCommand<CartContents> {
    @Override
    public Answer<CartContents, OrderRefusal> decide(
        OrderDecider decider, @Nullable RequestKey key, Instant now) {
      return decider.change(this);
    }

    @Override
    public List<Object> values() {
      return change.values(owner.buyerId());
    }

    @Override
    public Retention retention() {
      return Retention.ONE_DAY;
    }
  }

  /// Deletes the carts of sessions that ended; saved carts stay. Answered with their number.
  record EndSessions(List<Long> sessionIds) implements OrderCommand<Integer> {
    @Override
    public Answer<Integer, OrderRefusal> decide(
        OrderDecider decider, @Nullable RequestKey key, Instant now) {
      return decider.endSessions(this);
    }
  }

  /// Takes the lines out of the cart and records a purchase in state AUTHORISING. The answer to its
  /// key is kept when the purchase is sold or ends.
  ///
  /// @param seen what the buyer saw in the cart; null: not compared
  record BeginPurchase(String id, CartOwner owner, @Nullable Cart seen)
      implements OrderCommand<BegunPurchase> {
    @Override
    public Answer<BegunPurchase, OrderRefusal> decide(
        OrderDecider decider, @Nullable RequestKey key, Instant now) {
      if (key == null) {
        throw new IllegalStateException("a purchase must have an idempotency key");
      }
      return decider.begin(this, key, now);
    }

    /// The card is not part of it.
    @Override
    public List<Object> values() {
      return values(owner);
    }

    static List<Object> values(CartOwner owner) {
      return List.of("purchase", owner.buyerId());
    }

    @Override
    public Retention retention() {
      return Retention.LATER;
    }
  }

  /// What a request to buy has begun.
  sealed interface BegunPurchase {
    /// A purchase in state AUTHORISING.
    record Begun(Purchase purchase) implements BegunPurchase {}

    /// A purchase with the same key is in progress.
    record InProgress(String purchaseId) implements BegunPurchase {}

    /// The purchase of the key was sold before.
    ///
    /// @param number of the sale in series PURCHASES
    record Sold(long units, long number) implements BegunPurchase {}
  }

  /// Records the next state of a purchase. Answered with what is recorded now.
  ///
  /// @param refusal why the purchase ends; null if it goes on. Kept for the purchase's key if its
  ///   reason is
  /// @param sellers the seller of each item; empty if not known yet, which it is before the capture
  record RecordPurchase(
      Purchase next,
      Answer.@Nullable Refusal<BegunPurchase.Sold, OrderRefusal> refusal,
      Map<Long, Long> sellers)
      implements OrderCommand<Purchase> {
    @Override
    public Answer<Purchase, OrderRefusal> decide(
        OrderDecider decider, @Nullable RequestKey key, Instant now) {
      return decider.record(this);
    }
  }

  /// Compares sales and returns of the catalog with their purchases. They differ if this database
  /// was restored from a backup that is older than the catalog's, or was deleted. The catalog is
  /// right: the purchase is inserted or changed, and the driver continues it. Answered with the
  /// number of those purchases.
  record RecoverPurchases(List<ItemSale> sales) implements OrderCommand<Integer> {
    @Override
    public Answer<Integer, OrderRefusal> decide(
        OrderDecider decider, @Nullable RequestKey key, Instant now) {
      return decider.recover(this);
    }
  }
}
