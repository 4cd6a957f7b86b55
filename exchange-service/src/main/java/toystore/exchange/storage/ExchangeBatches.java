package toystore.exchange.storage;

import static java.util.Objects.requireNonNull;

import java.sql.SQLException;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;
import toystore.exchange.domain.ExchangeUnitOfWork;
import toystore.exchange.domain.MarketFeed;
import toystore.exchange.domain.ShareDeposit;
import toystore.exchange.engine.CashAccount;
import toystore.exchange.engine.EngineBounds;
import toystore.exchange.engine.EngineChanges;
import toystore.exchange.engine.EngineLoader;
import toystore.exchange.engine.LimitOrder;
import toystore.exchange.engine.MarketDepth;
import toystore.exchange.engine.MatchedTrade;
import toystore.exchange.engine.MatchingEngine;
import toystore.exchange.engine.Position;
import toystore.exchange.engine.Symbol;
import toystore.platform.journal.KeyJournal;
import toystore.platform.storage.Batches;
import toystore.platform.storage.ChecksummedTable;
import toystore.platform.storage.Database;

/// The [MatchingEngine], which a batch changes in place, and the [MarketFeed], to which it is
/// published. A cancel, or the repeat of a key that opened an order, is decided here;
/// [OrderAnswerStore] reads what its answer shows.
///
/// After a failed batch the engine has changes that are not on disk. The next batch discards it and
/// reads a new one from the tables.
public final class ExchangeBatches implements Batches<ExchangeUnitOfWork> {
  /// Of each side of a book.
  static final int LEVELS = 100;

  private static final int PAGE = 10_000;

  private final Database database;
  private final CashAccountStore accounts;
  private final LimitOrderStore orders;
  private final ChecksummedTable<Symbol>.Writer symbolRows;
  private final ChecksummedTable<CashAccount>.Writer accountRows;
  private final ChecksummedTable<Position>.Writer positionRows;
  private final ChecksummedTable<ShareDeposit>.Writer depositRows;
  private final ChecksummedTable<LimitOrder>.Writer orderRows;
  private final ChecksummedTable<MatchedTrade>.Writer tradeRows;
  private final KeyJournal journal;
  private final MarketFeed feed;
  private final EngineBounds bounds;
  private MatchingEngine engine;
  private boolean committed = true; // whether the engine has committed changes only
  private long lastOrder; // the last committed one, as the numbers that follow
  private long lastDeposit;
  private volatile long lastAccount; // read by any thread, as the numbers that follow
  private volatile long openOrders;
  private final LongAdder placed = new LongAdder();
  private final LongAdder traded = new LongAdder();
  private final LongAdder rebuilds = new LongAdder();

  public ExchangeBatches(
      Database database,
      CashAccountStore accounts,
      LimitOrderStore orders,
      MarketFeed feed,
      EngineBounds bounds,
      InstantSource clock) {
    this.database = database;
    this.accounts = accounts;
    this.orders = orders;
    this.symbolRows = SymbolStore.SYMBOLS.inserts(database);
    this.accountRows =
        CashAccountStore.ACCOUNTS.upserts(database, List.of("cash_e8", "reserved_e8"));
    this.positionRows = accounts.positions().upserts(database, List.of("shares_e4", "reserved_e4"));
    this.depositRows = CashAccountStore.DEPOSITS.inserts(database);
    this.orderRows =
        orders.orders().upserts(database, List.of("open_e4", "canceled_e4", "canceled_at"));
    this.tradeRows = orders.trades().inserts(database);
    this.journal = new KeyJournal(database, AnswerStore.table(accounts), clock, false);
    this.feed = feed;
    this.bounds = bounds;
    this.engine = new MatchingEngine(bounds);
  }

  @Override
  public void load() throws SQLException {
    lastDeposit = CashAccountStore.lastDeposit(database.queryConnection());
    lastOrder = orders.lastOrder(database.queryConnection());
    List<Symbol> symbols = new ArrayList<>();
    engine = load(symbols);
    feed.load(orders.lastTrade(database.queryConnection()), depths(symbols));
  }

  /// @param symbols receives all
  private MatchingEngine load(List<Symbol> symbols) throws SQLException {
    var loader = new EngineLoader(bounds);
    symbols.addAll(SymbolStore.SYMBOLS.rows(database.queryConnection(), "ORDER BY number"));
    symbols.forEach(loader::load);
    lastAccount =
        loadPages(
            after -> CashAccountStore.page(database.queryConnection(), null, after, PAGE),
            CashAccount::number,
            loader::load);
    loadPages(
        after -> accounts.positions(database.queryConnection(), after, PAGE),
        Position::number,
        loader::load);
    openOrders =
        loadPages(
            after -> orders.open(database.queryConnection(), after, PAGE),
            LimitOrder::number,
            loader::load);
    return loader.engine(
        orders.lastOrder(database.queryConnection()), orders.lastTrade(database.queryConnection()));
  }

  @FunctionalInterface
  private interface PageQuery<T> {
    List<T> run(long after) throws SQLException;
  }

  /// @return number of rows
  private static <T> long loadPages(
      PageQuery<T> query, ToLongFunction<T> number, Consumer<T> loader) throws SQLException {
    long rows = 0;
    long last = 0;
    List<T> page;
    do {
      page = query.run(last);
      page.forEach(loader);
      rows += page.size();
      last = page.isEmpty() ? last : number.applyAsLong(page.getLast());
    } while (page.size() == PAGE);
    return rows;
  }

  private List<MarketDepth> depths(List<Symbol> symbols) {
    return symbols.stream().map(it -> engine.depth(it.name(), LEVELS).orElseThrow()).toList();
  }

  /// Any thread.
  public long accounts() {
    return lastAccount;
  }

  /// Any thread.
  public long openOrders() {
    return openOrders;
  }

  /// Since the start. Any thread.
  public long placed() {
    return placed.sum();
  }

  /// Since the start. Any thread.
  public long traded() {
    return traded.sum();
  }

  /// How often a failed batch caused the engine to be read again. Any thread.
  public long rebuilds() {
    return rebuilds.sum();
  }

  @Override
  public ExchangeUnitOfWork begin() throws SQLException {
    if (!committed) {
      engine = new MatchingEngine(bounds); // two would need twice the memory
      engine = load(new ArrayList<>());
      rebuilds.increment();
    }
    committed = false;
    journal.begin();
    return new Batch();
  }

  private final class Batch extends ExchangeUnitOfWork {
    private @Nullable EngineChanges written;

    Batch() {
      super(ExchangeBatches.this.engine, bounds, lastDeposit);
    }

    @Override
    public KeyJournal journal() {
      return journal;
    }

    @Override
    public void write() throws SQLException {
      EngineChanges changes = engine.takeChanges();
      written = changes;
      symbolRows.putAll(changes.symbols());
      accountRows.putAll(changes.accounts());
      positionRows.putAll(changes.positions());
      depositRows.putAll(deposits);
      orderRows.putAll(changes.orders());
      tradeRows.putAll(changes.trades());
      journal.write();
    }

    @Override
    public void publish() {
      publish(requireNonNull(written));
      committed = true;
    }

    private void publish(EngineChanges changes) {
      long last = lastOrder;
      long open = openOrders;
      for (LimitOrder order : changes.orders()) {
        boolean isNew = order.number() > lastOrder; // any other was open before
        open += isNew && order.openE4() > 0 ? 1 : 0;
        open -= !isNew && order.openE4() == 0 ? 1 : 0;
        last = Math.max(last, order.number());
      }
      placed.add(last - lastOrder);
      traded.add(changes.trades().size());
      for (CashAccount account : changes.accounts()) {
        lastAccount = Math.max(lastAccount, account.number());
      }
      lastOrder = last;
      lastDeposit += deposits.size();
      openOrders = open;
      feed.publish(changes.symbols(), changes.trades(), depths(changes.depths()));
    }
  }
}
