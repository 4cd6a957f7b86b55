package toystore.order.storage;

import static toystore.common.RootLocale.format;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import toystore.order.domain.BegunPurchase;
import toystore.order.domain.BegunPurchase.Sold;
import toystore.order.domain.CartChange;
import toystore.order.domain.CartContents;
import toystore.order.domain.CartLine;
import toystore.order.domain.CartOwner;
import toystore.order.domain.ItemSale;
import toystore.order.domain.OrderCommand;
import toystore.order.domain.OrderDecider;
import toystore.order.domain.Purchase;
import toystore.order.domain.SaleKey;
import toystore.platform.error.ErrorReason;
import toystore.platform.idempotency.Answer;
import toystore.platform.idempotency.Answer.Done;
import toystore.platform.idempotency.Answer.Refusal;
import toystore.platform.idempotency.BatchIdempotency;
import toystore.platform.idempotency.IdempotencyRecord;
import toystore.platform.idempotency.IdempotencyRecords;
import toystore.platform.idempotency.RequestHash;
import toystore.platform.idempotency.RequestKey;
import toystore.platform.storage.CorruptDataException;
import toystore.platform.storage.Database;
import toystore.platform.storage.DatabaseBatchStore;
import toystore.platform.storage.RowReadException;

/// Changes carts and purchases. Each command is decided against the rows, which are found by index,
/// and changes them in the open transaction at once, so the next command of the batch reads what
/// this one wrote. A command reads all rows that it needs before it writes the first one: a damaged
/// row then affects only this command.
public final class OrderBatchStore extends DatabaseBatchStore<OrderDecider> {
  private final Database database;
  private static final Logger log = LoggerFactory.getLogger(OrderBatchStore.class);

  /// How long a purchase that was not sold is kept, from its begin.
  private static final Duration UNSOLD_RETENTION = Duration.ofDays(1);

  private static final Answer<Sold> UNDONE =
      new Refusal<>(
          ErrorReason.PURCHASE_RETURNED,
          "the payment could not be captured, so the purchase was undone; nothing was charged");

  private final InstantSource clock;
  private final CartStore carts;
  private final PurchaseStore purchases;
  private final UnitTotalStore totals;
  private final IdempotencyRecords answers;
  private volatile long lastNumber;
  private long nextLine;

  public OrderBatchStore(Database database, InstantSource clock) {
    super(database);
    this.database = database;
    this.clock = clock;
    this.carts = new CartStore(database);
    this.purchases = new PurchaseStore(database);
    this.totals = new UnitTotalStore(database);
    this.answers = new IdempotencyRecords(database, PurchaseStore.ANSWERS, false);
  }

  @Override
  protected void load(Connection writing) throws SQLException {
    nextLine = PurchaseStore.nextLine(writing);
    lastNumber = PurchaseStore.lastNumber(writing);
  }

  @Override
  public Batch<OrderDecider> open() {
    return new OrderBatch();
  }

  /// The highest number of a recorded sale or return; -1 if there is none. Any thread.
  public long lastNumber() {
    return lastNumber;
  }

  /// One transaction.
  private final class OrderBatch extends Transaction implements OrderDecider {
    private final BatchIdempotency keys = new BatchIdempotency(this::findAnswer, clock);
    private long nextBatchLine = nextLine;
    private long lastInBatch = lastNumber;
    private int changedPurchases;

    @Override
    protected OrderDecider decider() {
      return this;
    }

    @Override
    public BatchIdempotency keys() {
      return keys;
    }

    /// The stored answer to a key, unless it says that a purchase was sold which was undone since.
    private @Nullable IdempotencyRecord findAnswer(RequestKey key) throws SQLException {
      IdempotencyRecord known = answers.find(key);
      if (known != null && known.answer() instanceof Done(Sold(_, long number), _)) {
        for (Purchase purchase : PurchaseStore.findByNumber(database.writing(), number)) {
          if (purchase.state().isUndone()) {
            return new IdempotencyRecord(known.key(), known.hash(), UNDONE, null);
          }
        }
      }
      return known;
    }

    @Override
    public Answer<CartContents> change(CartOwner owner, CartChange change) {
      return RowReadException.unchecked(() -> {
        CartContents before = CartStore.find(database.writing(), owner);
        Answer<CartContents> answer = change.apply(before);
        if (answer instanceof Done(CartContents after, _)) {
          carts.put(owner, before, after);
        }
        return answer;
      });
    }

    @Override
    public int endSessions(List<Long> sessionIds) {
      return RowReadException.unchecked(() -> {
        for (long id : sessionIds) {
          carts.deleteSession(id);
        }
        return sessionIds.size();
      });
    }

    @Override
    public Answer<BegunPurchase> begin(
        OrderCommand.BeginPurchase command, RequestKey key, Instant now) {
      return RowReadException.unchecked(() -> begun(command, key, now));
    }

    private Answer<BegunPurchase> begun(
        OrderCommand.BeginPurchase command, RequestKey key, Instant now) throws SQLException {
      CartOwner owner = command.owner();
      Purchase undecided = PurchaseStore.findUndecided(database.writing(), key).orElse(null);
      if (undecided != null) {
        return undecided.owner().buyerId() == owner.buyerId()
            ? new Done<>(new BegunPurchase.Undecided(undecided, true))
            : new Answer.NotDecided<>(Answer.Cause.KEY_REUSED);
      }
      CartContents before = CartStore.find(database.writing(), owner);
      Refusal<BegunPurchase> refusal = command.refusal(before.view());
      if (refusal != null) {
        return refusal;
      }
      Purchase purchase = Purchase.begin(command.id(), owner, key, before, now);
      carts.put(owner, before, before.withoutView());
      put(null, purchase);
      return new Done<>(new BegunPurchase.Undecided(purchase, false));
    }

    @Override
    public Optional<Purchase> record(
        Purchase next, @Nullable Refusal<Sold> refusal, Map<Long, Long> sellers) {
      try {
        return RowReadException.unchecked(() -> recorded(next, refusal, sellers));
      } catch (CorruptDataException e) { // only this purchase is stuck; the driver repeats it
        log.error("{}", e.getMessage());
        return Optional.empty();
      }
    }

    private Optional<Purchase> recorded(
        Purchase next, @Nullable Refusal<Sold> refusal, Map<Long, Long> sellers)
        throws SQLException {
      Purchase before =
          PurchaseStore.find(database.writing(), next.id())
              .orElseThrow(
                  () -> new IllegalStateException(format("purchase %s was not begun", next.id())));
      if (before.state() == next.state()
          || (before.state().isSold() && !next.state().isSold())) { // the catalog has the sale
        return Optional.of(before);
      }
      if (!before.mayBecome(next)) {
        log.error(
            "purchase {} is {}, it cannot become {}", next.id(), before.state(), next.state());
        return Optional.empty();
      }
      if (before.state() == Purchase.State.AUTHORISING && !next.state().isSold()) {
        CartContents now = CartStore.find(database.writing(), next.owner());
        carts.put(next.owner(), now, now.restored(next));
      }
      if (next.state() == Purchase.State.SOLD) {
        answerSold(next);
      } else if (refusal != null) {
        answer(next, refusal);
      } else if (next.state() == Purchase.State.CAPTURED) {
        for (CartLine line : next.cart().lines()) {
          long seller = sellers.getOrDefault(line.itemId(), 0L);
          totals.add(UnitTotalStore.seller(seller), line.quantity());
          totals.add(UnitTotalStore.item(line.itemId()), line.quantity());
        }
      }
      return Optional.of(put(before, next));
    }

    @Override
    public int recover(List<ItemSale> sales) {
      int recovered = 0;
      for (ItemSale sale : sales) {
        try {
          recovered += RowReadException.unchecked(() -> recover(sale)) ? 1 : 0;
        } catch (CorruptDataException e) { // the others go on; the audit reports the purchase
          log.error("{}", e.getMessage());
        }
      }
      return recovered;
    }

    private boolean recover(ItemSale sale) throws SQLException {
      SaleKey key = SaleKey.parse(sale.key()).orElse(null);
      if (key == null) {
        return false;
      }
      Purchase known = PurchaseStore.find(database.writing(), key.purchaseId()).orElse(null);
      if (key.isReturn()) {
        if (known == null || known.state() != Purchase.State.SOLD) {
          return false;
        }
        put(known, known.to(Purchase.State.RETURNING));
        return true;
      }
      if (known != null && known.state().isSold()) {
        return false;
      }
      if (!PurchaseStore.findByNumber(database.writing(), sale.number()).isEmpty()) {
        return false; // the audit reports that the number belongs to another purchase
      }
      Purchase sold = known == null ? Purchase.recovered(key, sale) : known.sold(sale);
      if (known != null && known.state() == Purchase.State.AUTHORISING) {
        answerSold(sold);
      }
      put(known, sold);
      return true;
    }

    /// Writes a purchase and what its buyer keeps.
    private Purchase put(@Nullable Purchase before, Purchase after) throws SQLException {
      Purchase written = after;
      if (after.state() == Purchase.State.SOLD) {
        written = after.withFirstLine(nextBatchLine);
        nextBatchLine += after.cart().lines().size();
      }
      purchases.put(written);
      changedPurchases++;
      lastInBatch = Math.max(lastInBatch, written.lastNumber());
      totals.add(
          UnitTotalStore.buyer(after.owner().buyerId()),
          after.keptUnits() - (before == null ? 0 : before.keptUnits()));
      return written;
    }

    private void answerSold(Purchase sold) {
      answer(sold, new Done<>(new Sold(sold.cart().units(), sold.soldSale().number())));
    }

    private void answer(Purchase purchase, Answer<Sold> answer) {
      var command = new OrderCommand.BeginPurchase(purchase.id(), purchase.owner(), null);
      keys.keep(purchase.key(), RequestHash.of(command.values()), answer);
    }

    @Override
    public void write() throws SQLException {
      if (changedPurchases > 0) { // deletes more than this batch adds
        purchases.deleteUnsold(clock.instant().minus(UNSOLD_RETENTION), 10 + 2 * changedPurchases);
      }
      answers.write(keys.records(), clock.instant());
    }

    @Override
    public void publish() {
      lastNumber = lastInBatch;
      nextLine = nextBatchLine;
    }
  }
}
