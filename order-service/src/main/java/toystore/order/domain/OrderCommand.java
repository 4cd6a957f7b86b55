package toystore.order.domain;

import static toystore.common.RootLocale.format;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import toystore.order.domain.BegunPurchase.Sold;
import toystore.platform.error.ErrorReason;
import toystore.platform.journal.Answer;
import toystore.platform.journal.Answer.Done;
import toystore.platform.journal.Answer.Refusal;
import toystore.platform.journal.CommandContext;
import toystore.platform.journal.KeyedCommand;
import toystore.platform.journal.RequestKey;
import toystore.platform.storage.CorruptDataException;
import toystore.platform.text.Limits;

/// A command for the writer. [ChangeCart] and [BeginPurchase] come from callers; the others are the
/// service's own and have no idempotency key.
///
/// @param <T> what it makes or changes
public sealed interface OrderCommand<T> extends KeyedCommand<OrderUnitOfWork, T> {
  record ChangeCart(CartOwner owner, CartChange change) implements OrderCommand<CartContents> {
    @Override
    public Answer<CartContents> decide(OrderUnitOfWork unit, CommandContext context) {
      CartContents before = unit.cart(owner);
      Answer<CartContents> answer = change.apply(before);
      if (answer instanceof Done(CartContents after, _)) {
        unit.put(owner, before, after);
      }
      return answer;
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
    public Answer<BegunPurchase> decide(OrderUnitOfWork unit, CommandContext context) {
      RequestKey key = context.requiredKey();
      Purchase undecided = unit.findUndecided(key);
      if (undecided != null) {
        return undecided.owner().buyerId() == owner.buyerId()
            ? new Done<>(new BegunPurchase.Undecided(undecided, true))
            : new Answer.NotDecided<>(Answer.Cause.KEY_REUSED);
      }
      CartContents before = unit.cart(owner);
      Refusal<BegunPurchase> refusal = refusal(before.view());
      if (refusal != null) {
        return refusal;
      }
      Purchase purchase = Purchase.begin(id, owner, key, before, context.now());
      unit.put(owner, before, before.withoutView());
      unit.put(null, purchase);
      return new Done<>(new BegunPurchase.Undecided(purchase, false));
    }

    /// @return null if the cart can be bought
    private @Nullable Refusal<BegunPurchase> refusal(Cart cart) {
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

    /// A purchase that was sold may have been undone since then.
    @Override
    public Answer<BegunPurchase> repeated(OrderUnitOfWork unit, Answer<BegunPurchase> stored) {
      boolean undone =
          stored instanceof Done(Sold(_, long number), _)
              && unit.findByNumber(number).stream().anyMatch(it -> it.state().isUndone());
      return undone
          ? new Refusal<>(
              ErrorReason.PURCHASE_RETURNED,
              "the payment could not be captured, so the purchase was undone; nothing was charged",
              true)
          : stored.again();
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

  /// Deletes their carts; saved ones stay. Answered with the number of sessions.
  record EndSessions(List<Long> sessionIds) implements OrderCommand<Integer> {
    @Override
    public Answer<Integer> decide(OrderUnitOfWork unit, CommandContext context) {
      for (long id : sessionIds) {
        unit.sessionCarts.put(id, new CartContents.SessionCart(id, 0, null));
      }
      return new Done<>(sessionIds.size());
    }
  }

  /// Records the next state of a purchase. Answered with what is recorded now.
  ///
  /// @param refusal why the purchase ends; null if it goes on. Kept for its key if the reason is
  /// @param sellers of each item; needed for the capture
  record RecordState(Purchase next, @Nullable Refusal<Sold> refusal, Map<Long, Long> sellers)
      implements OrderCommand<Purchase> {
    @Override
    public Answer<Purchase> decide(OrderUnitOfWork unit, CommandContext context) {
      Purchase before = unit.purchase(next.id());
      if (before == null) {
        throw new IllegalStateException(format("purchase %s was not begun", next.id()));
      }
      if (before.state() == next.state()
          || (before.state().isSold() && !next.state().isSold())) { // the catalog has the sale
        return new Done<>(before);
      }
      if (!before.mayBecome(next)) {
        throw new CorruptDataException(
            format(
                "purchase %s is %s, it cannot become %s", next.id(), before.state(), next.state()));
      }
      if (before.state() == Purchase.State.AUTHORISING && !next.state().isSold()) {
        CartContents now = unit.cart(next.owner());
        unit.put(next.owner(), now, now.restored(next));
      }
      if (next.state() == Purchase.State.SOLD) {
        unit.keepSold(next);
      } else if (refusal != null) {
        unit.keep(next, refusal);
      } else if (next.state() == Purchase.State.CAPTURED) {
        for (CartLine line : next.cart().lines()) {
          long seller = sellers.getOrDefault(line.itemId(), 0L);
          unit.addUnits(UnitTotal.seller(seller), line.quantity());
          unit.addUnits(UnitTotal.item(line.itemId()), line.quantity());
        }
      }
      return new Done<>(unit.put(before, next));
    }
  }

  /// Compares sales and returns of the catalog with their purchases, which differ if this database
  /// was restored from an older backup, or deleted. The catalog is right. All changes are in one
  /// commit, because the next comparison begins after the highest number. Answered with what is
  /// damaged, which the audit reports, too.
  record Recover(List<ItemSale> sales) implements OrderCommand<List<String>> {
    @Override
    public Answer<List<String>> decide(OrderUnitOfWork unit, CommandContext context) {
      var damaged = new ArrayList<String>();
      for (ItemSale sale : sales) {
        try {
          SaleKey.parse(sale.key()).ifPresent(it -> recover(unit, sale, it));
        } catch (CorruptDataException e) { // the others go on
          damaged.add(String.valueOf(e.getMessage()));
        }
      }
      return new Done<>(damaged);
    }

    private static void recover(OrderUnitOfWork unit, ItemSale sale, SaleKey key) {
      Purchase known = unit.purchase(key.purchaseId());
      if (key.isReturn()) {
        if (known != null && known.state() == Purchase.State.SOLD) {
          unit.put(known, known.to(Purchase.State.RETURNING));
        }
        return;
      }
      if (known != null && known.state().isSold()) {
        return;
      }
      if (!unit.findByNumber(sale.number()).isEmpty()) {
        return; // the audit reports that the number belongs to another purchase
      }
      Purchase sold = known == null ? Purchase.recovered(key, sale) : known.sold(sale);
      if (known != null && known.state() == Purchase.State.AUTHORISING) {
        unit.keepSold(sold);
      }
      unit.put(known, sold);
    }
  }
}
