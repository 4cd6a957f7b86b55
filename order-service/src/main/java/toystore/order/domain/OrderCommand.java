package toystore.order.domain;

import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import toystore.platform.error.ErrorReason;
import toystore.platform.idempotency.Answer;
import toystore.platform.idempotency.Answer.Refusal;
import toystore.platform.idempotency.KeyedCommand;
import toystore.platform.idempotency.RequestKey;
import toystore.platform.text.Limits;

/// A caller's command for the writer of the order service.
///
/// @param <T> what it makes or changes
public sealed interface OrderCommand<T> extends KeyedCommand<OrderDecider, T> {
  record ChangeCart(CartOwner owner, CartChange change) implements OrderCommand<CartContents> {
    @Override
    public Answer<CartContents> decide(
        OrderDecider decider, @Nullable RequestKey key, Instant now) {
      return decider.change(owner, change);
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

  /// Takes the lines out of the cart and records a purchase in state AUTHORISING. The answer to its
  /// key is kept when the purchase is sold or ends.
  ///
  /// @param seen what the buyer saw in the cart; null: not compared
  record BeginPurchase(String id, CartOwner owner, @Nullable Cart seen)
      implements OrderCommand<BegunPurchase> {
    @Override
    public Answer<BegunPurchase> decide(
        OrderDecider decider, @Nullable RequestKey key, Instant now) {
      if (key == null) {
        throw new IllegalStateException("a purchase must have an idempotency key");
      }
      return decider.begin(this, key, now);
    }

    /// Why this cart cannot be bought; null if it can.
    public @Nullable Refusal<BegunPurchase> refusal(Cart cart) {
      if (cart.isEmpty()) {
        return new Refusal<>(ErrorReason.CART_EMPTY, "the cart is empty");
      }
      if (seen != null && !cart.hasSameLines(seen)) {
        return new Refusal<>(
            ErrorReason.CART_CHANGED,
            "the cart has changed since it was shown; nothing was bought");
      }
      if (cart.lines().size() > Limits.MAX_LINES) { // a purchase was put back into a filled cart
        return Refusal.because(
            ErrorReason.CART_FULL,
            "a cart must have at most %d lines, this one has %d",
            Limits.MAX_LINES,
            cart.lines().size());
      }
      try {
        cart.totalCents();
        return null;
      } catch (ArithmeticException e) {
        return Refusal.because(
            ErrorReason.INVALID, "total must be at most %d cents", Long.MAX_VALUE);
      }
    }

    /// The card is not part of it.
    @Override
    public List<Object> values() {
      return List.of("purchase", owner.buyerId());
    }

    @Override
    public Retention retention() {
      return Retention.LATER;
    }
  }
}
