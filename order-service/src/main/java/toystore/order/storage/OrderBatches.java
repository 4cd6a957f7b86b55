package toystore.order.storage;

import java.sql.SQLException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import toystore.order.domain.CartContents.SavedCart;
import toystore.order.domain.CartContents.SessionCart;
import toystore.order.domain.OrderUnitOfWork;
import toystore.order.domain.Purchase;
import toystore.platform.journal.KeyJournal;
import toystore.platform.storage.Batches;
import toystore.platform.storage.Database;

/// Keeps the next numbers and up to 1,000 open purchases in memory; carts and other purchases are
/// read from their rows.
public final class OrderBatches implements Batches<OrderUnitOfWork> {
  /// From its begin.
  private static final Duration UNSOLD_RETENTION = Duration.ofDays(1);

  /// Bound of the purchases in memory; they are changed up to three times within milliseconds.
  private static final int MAX_OPEN = 1_000;

  private final Database database;
  private final CartStore carts;
  private final PurchaseStore purchaseRows;
  private final UnitTotalStore totals;
  private final KeyJournal journal;
  private final Map<String, Purchase> open = new HashMap<>();
  private volatile long lastNumber;
  private long nextLine;

  public OrderBatches(Database database, InstantSource clock) {
    this.database = database;
    this.carts = new CartStore(database);
    this.purchaseRows = new PurchaseStore(database);
    this.totals = new UnitTotalStore(database);
    this.journal = new KeyJournal(database, PurchaseStore.ANSWERS, clock, true);
  }

  @Override
  public void load() throws SQLException {
    open.clear();
    nextLine = PurchaseStore.nextLine(database.queryConnection());
    lastNumber = PurchaseStore.lastNumber(database.queryConnection());
  }

  /// -1 if there is none. Any thread.
  public long lastNumber() {
    return lastNumber;
  }

  @Override
  public OrderUnitOfWork begin() {
    journal.begin();
    return new Batch();
  }

  private @Nullable Purchase findPurchase(String id) throws SQLException {
    Purchase known = open.get(id);
    return known == null ? PurchaseStore.find(database.queryConnection(), id).orElse(null) : known;
  }

  private final class Batch extends OrderUnitOfWork {
    Batch() {
      super(
          id -> CartStore.ofSession(database.queryConnection(), id).orElse(null),
          id -> CartStore.saved(database.queryConnection(), id).orElse(null),
          OrderBatches.this::findPurchase,
          key -> PurchaseStore.findUndecided(database.queryConnection(), key).orElse(null),
          number -> PurchaseStore.findByNumber(database.queryConnection(), number),
          OrderBatches.this.nextLine);
    }

    @Override
    public KeyJournal journal() {
      return journal;
    }

    @Override
    public void write() throws SQLException {
      for (SavedCart cart : savedCarts.changed().values()) {
        carts.put(cart);
      }
      for (SessionCart cart : sessionCarts.changed().values()) {
        carts.put(cart);
      }
      int changed = purchases.changed().size();
      for (Purchase purchase : purchases.changed().values()) {
        purchaseRows.put(purchase);
      }
      for (Purchase.PurchasedLine line : lines.values()) {
        purchaseRows.put(line);
      }
      for (Map.Entry<String, Long> added : units.entrySet()) {
        totals.add(added.getKey(), added.getValue());
      }
      if (changed > 0) { // deletes more than this batch adds
        purchaseRows.deleteUnsold(now().minus(UNSOLD_RETENTION), 10 + 2 * changed);
      }
      journal.write();
    }

    @Override
    public void publish() {
      for (Purchase purchase : purchases.changed().values()) {
        lastNumber = Math.max(lastNumber, purchase.lastNumber());
        open.remove(purchase.id());
        if (purchase.state().isOpen() && open.size() < MAX_OPEN) {
          open.put(purchase.id(), purchase);
        }
      }
      OrderBatches.this.nextLine = nextLine;
    }
  }
}
