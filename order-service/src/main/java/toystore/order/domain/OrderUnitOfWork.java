package toystore.order.domain;

import static java.util.Objects.requireNonNull;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import toystore.order.domain.BegunPurchase.Sold;
import toystore.order.domain.CartContents.SavedCart;
import toystore.order.domain.CartContents.SessionCart;
import toystore.platform.journal.Answer;
import toystore.platform.journal.Answer.Done;
import toystore.platform.journal.KeyedUnitOfWork;
import toystore.platform.journal.RequestHash;
import toystore.platform.journal.RequestKey;
import toystore.platform.storage.ReadThrough;

/// The carts and purchases that a batch reads and changes. A command reads all that it needs before
/// it changes something: a damaged row then affects only this command. Writer's thread.
public abstract class OrderUnitOfWork implements KeyedUnitOfWork {
  protected final ReadThrough<Long, SessionCart> sessionCarts;
  protected final ReadThrough<Long, SavedCart> savedCarts;
  protected final ReadThrough<String, Purchase> purchases;
  protected final Map<Long, Purchase.PurchasedLine> lines = new LinkedHashMap<>();

  /// What is added to each [UnitTotal].
  protected final Map<String, Long> units = new LinkedHashMap<>();

  /// The id of the next line that is bought.
  protected long nextLine;

  private final ReadThrough<String, Purchase> undecided;
  private final ReadThrough<Long, List<Purchase>> numbered;

  /// @param undecided finds, by its stored key, the purchase for which it is not decided yet
  ///   whether it is sold
  /// @param numbered finds the purchases whose sale or return has a number
  protected OrderUnitOfWork(
      ReadThrough.Source<Long, SessionCart> sessionCarts,
      ReadThrough.Source<Long, SavedCart> savedCarts,
      ReadThrough.Source<String, Purchase> purchases,
      ReadThrough.Source<String, Purchase> undecided,
      ReadThrough.Source<Long, List<Purchase>> numbered,
      long nextLine) {
    this.sessionCarts = new ReadThrough<>(sessionCarts);
    this.savedCarts = new ReadThrough<>(savedCarts);
    this.purchases = new ReadThrough<>(purchases);
    this.undecided = new ReadThrough<>(undecided);
    this.numbered = new ReadThrough<>(numbered);
    this.nextLine = nextLine;
  }

  CartContents cart(CartOwner owner) {
    return CartContents.of(
        owner, sessionCarts.find(owner.sessionId()), savedCarts.find(owner.buyerId()));
  }

  /// Changes the carts that differ from those before.
  void put(CartOwner owner, CartContents before, CartContents after) {
    if (!after.saved().equals(before.saved())) {
      savedCarts.put(owner.buyerId(), new SavedCart(owner.buyerId(), after.saved()));
    }
    if (!Objects.equals(after.session(), before.session())) {
      sessionCarts.put(
          owner.sessionId(), new SessionCart(owner.sessionId(), owner.buyerId(), after.session()));
    }
  }

  @Nullable Purchase purchase(String id) {
    return purchases.find(id);
  }

  /// The purchase of a key for which it is not decided yet whether it is sold; null: none.
  @Nullable Purchase findUndecided(RequestKey key) {
    Purchase begun = undecided.find(key.stored());
    Purchase now = begun == null ? null : purchases.find(begun.id());
    return now != null && now.state() == Purchase.State.AUTHORISING ? now : null;
  }

  /// The purchases whose sale or return has a number: one, unless the numbers are wrong.
  List<Purchase> findByNumber(long number) {
    var found = new ArrayList<Purchase>();
    for (Purchase purchase : requireNonNull(numbered.find(number))) {
      if (!purchases.isChanged(purchase.id())) {
        found.add(purchase);
      }
    }
    purchases.changed().values().stream().filter(it -> it.hasNumber(number)).forEach(found::add);
    return found;
  }

  /// Changes a purchase and what its buyer keeps.
  ///
  /// @param before null: it is new
  /// @return the purchase with the ids of its lines
  Purchase put(@Nullable Purchase before, Purchase after) {
    Purchase changed = after;
    switch (after.state()) {
      case AUTHORISING -> undecided.put(after.key().stored(), after);
      case SOLD -> {
        changed = after.withFirstLine(nextLine);
        nextLine += after.cart().lines().size();
        changed.lines().forEach(it -> lines.put(it.id(), it));
      }
      case RETURNING -> after.lines().forEach(it -> lines.put(it.id(), it));
      case CAPTURED, DECLINED, VOIDING, VOIDED, RETURNED -> {}
    }
    purchases.put(changed.id(), changed);
    addUnits(
        UnitTotal.buyer(after.owner().buyerId()),
        after.keptUnits() - (before == null ? 0 : before.keptUnits()));
    return changed;
  }

  void addUnits(String account, long added) {
    if (added != 0) {
      units.merge(account, added, Long::sum);
    }
  }

  /// Keeps that a purchase was sold as the answer to its key.
  void keepSold(Purchase sold) {
    keep(sold, new Done<>(new Sold(sold.cart().units(), sold.soldSale().number())));
  }

  /// Keeps the answer to the key of a purchase.
  void keep(Purchase purchase, Answer<Sold> answer) {
    var command = new OrderCommand.BeginPurchase(purchase.id(), purchase.owner(), null);
    journal().keep(purchase.key(), RequestHash.of(command.values()), answer);
  }
}
