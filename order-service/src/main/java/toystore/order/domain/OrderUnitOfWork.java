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

/// What a batch reads and changes. A command reads all that it needs before it changes something,
/// so a damaged row affects only this command. Writer's thread.
public abstract class OrderUnitOfWork implements KeyedUnitOfWork {
  protected final ReadThrough<Long, SessionCart> sessionCarts;
  protected final ReadThrough<Long, SavedCart> savedCarts;
  protected final ReadThrough<String, Purchase> purchases;
  protected final Map<Long, Purchase.PurchasedLine> lines = new LinkedHashMap<>();

  /// Added to each [UnitTotal].
  protected final Map<String, Long> units = new LinkedHashMap<>();

  /// Id of the next line that is bought.
  protected long nextLine;

  private final ReadThrough<String, Purchase> undecided;
  private final ReadThrough<Long, List<Purchase>> numbered;

  /// @param undecided by stored key, the purchase that is not decided
  /// @param numbered the purchases whose sale or return has a number
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

  /// Changes what differs.
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

  /// @return null if the key has no undecided purchase
  @Nullable Purchase findUndecided(RequestKey key) {
    Purchase begun = undecided.find(key.stored());
    Purchase now = begun == null ? null : purchases.find(begun.id());
    return now != null && now.state() == Purchase.State.AUTHORISING ? now : null;
  }

  /// One, unless the numbers are wrong.
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

  void keepSold(Purchase sold) {
    keep(sold, new Done<>(new Sold(sold.cart().units(), sold.soldSale().number())));
  }

  void keep(Purchase purchase, Answer<Sold> answer) {
    var command = new OrderCommand.BeginPurchase(purchase.id(), purchase.owner(), null);
    journal().keep(purchase.key(), RequestHash.of(command.values()), answer);
  }
}
