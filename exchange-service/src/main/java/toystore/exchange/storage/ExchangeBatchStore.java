package toystore.exchange.storage;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;
import toystore.exchange.domain.ExchangeDecider;
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
import toystore.platform.idempotency.BatchIdempotency;
import toystore.platform.idempotency.IdempotencyRecords;
import toystore.platform.storage.Database;
import toystore.platform.storage.DatabaseBatchStore;

/// Applies commands to the [MatchingEngine] and writes what they changed.
///
/// ```
/// decide  ExchangeDecider: the engine, in place: committed state + the batch's own changes
/// write   the final state of each changed row: account, symbol, position, share_deposit,
///         limit_order, trade, answer
/// commit  all of them: one transaction
/// publish MarketFeed
/// ```
///
/// No query comes here: [OrderAnswerStore] reads committed rows. A cancel, or the repeat of a key
/// that opened an order, is decided here, and what its answer shows is read there.
///
/// If a batch fails, the engine has changes that are not on disk. The next batch then discards the
/// engine and reads a new one from the tables.
public final class ExchangeBatchStore extends DatabaseBatchStore<ExchangeDecider> {
  private final Database database;

  /// Published prices of each side of a book.
  static final int LEVELS = 100;

  private static final int PAGE = 10_000;

  private final CashAccountStore accounts;
  private final LimitOrderStore orders;
  private final CashAccountStore.Rows accountRows;
  private final LimitOrderStore.Rows orderRows;
  private final IdempotencyRecords answers;
  private final MarketFeed feed;
  private final EngineBounds bounds;
  private final InstantSource clock;
  private MatchingEngine engine;
  private boolean committed = true; // whether the engine has committed changes only
  private long lastOrder; // the last committed one, as the numbers that follow
  private long lastDeposit;
  private volatile long lastAccount; // read by any thread, as the numbers that follow
  private volatile long openOrders;
  private final LongAdder placed = new LongAdder();
  private final LongAdder traded = new LongAdder();
  private final LongAdder rebuilds = new LongAdder();

  public ExchangeBatchStore(
      Database database,
      CashAccountStore accounts,
      LimitOrderStore orders,
      MarketFeed feed,
      EngineBounds bounds,
      InstantSource clock) {
    super(database);
    this.database = database;
    this.accounts = accounts;
    this.orders = orders;
    this.accountRows = accounts.rows(database);
    this.orderRows = orders.rows(database);
    this.answers = new IdempotencyRecords(database, AnswerStore.table(accounts), false);
    this.feed = feed;
    this.bounds = bounds;
    this.clock = clock;
    this.engine = new MatchingEngine(bounds);
  }

  @Override
  protected void load(Connection writing) throws SQLException {
    lastDeposit = CashAccountStore.lastDeposit(writing);
    lastOrder = orders.lastOrder(writing);
    List<Symbol> symbols = new ArrayList<>();
    engine = load(symbols);
    feed.load(orders.lastTrade(writing), depths(symbols));
  }

  /// Reads an engine from the tables.
  ///
  /// @param symbols receives all symbols
  private MatchingEngine load(List<Symbol> symbols) throws SQLException {
    var loader = new EngineLoader(bounds);
    symbols.addAll(SymbolStore.SYMBOLS.rows(database.writing(), "ORDER BY number"));
    symbols.forEach(loader::load);
    long number = 0;
    List<CashAccount> accountPage;
    do {
      accountPage = CashAccountStore.page(database.writing(), null, number, PAGE);
      accountPage.forEach(loader::load);
      number += accountPage.size();
    } while (accountPage.size() == PAGE);
    lastAccount = number;
    number = 0;
    List<Position> positionPage;
    do {
      positionPage = accounts.positions(database.writing(), number, PAGE);
      positionPage.forEach(loader::load);
      number += positionPage.size();
    } while (positionPage.size() == PAGE);
    number = 0;
    long open = 0;
    List<LimitOrder> orderPage;
    do {
      orderPage = orders.open(database.writing(), number, PAGE);
      orderPage.forEach(loader::load);
      open += orderPage.size();
      number = orderPage.isEmpty() ? number : orderPage.getLast().number();
    } while (orderPage.size() == PAGE);
    openOrders = open;
    return loader.engine(
        orders.lastOrder(database.writing()), orders.lastTrade(database.writing()));
  }

  private List<MarketDepth> depths(List<Symbol> symbols) {
    return symbols.stream().map(it -> engine.depth(it.name(), LEVELS).orElseThrow()).toList();
  }

  /// Number of accounts. Any thread.
  public long accounts() {
    return lastAccount;
  }

  /// Number of open orders. Any thread.
  public long openOrders() {
    return openOrders;
  }

  /// Orders that were opened since the start. Any thread.
  public long placed() {
    return placed.sum();
  }

  /// Trades that were made since the start. Any thread.
  public long traded() {
    return traded.sum();
  }

  /// How often a failed batch caused the engine to be read again since the start. Any thread.
  public long rebuilds() {
    return rebuilds.sum();
  }

  @Override
  public Batch<ExchangeDecider> open() {
    var batch = new OpenBatch(!committed);
    committed = false;
    return batch;
  }

  /// One batch.
  private final class OpenBatch extends Transaction {
    private final boolean isStale;
    private @Nullable ExchangeDecider decider;
    private @Nullable EngineChanges written;

    /// @param isStale whether the engine has changes of a batch that failed
    OpenBatch(boolean isStale) {
      this.isStale = isStale;
    }

    @Override
    protected ExchangeDecider decider() throws SQLException {
      if (decider == null) {
        if (isStale) {
          engine = new MatchingEngine(bounds); // two would need twice the memory
          engine = load(new ArrayList<>());
          rebuilds.increment();
        }
        decider =
            new ExchangeDecider(engine, bounds, new BatchIdempotency(answers, clock), lastDeposit);
      }
      return decider;
    }

    @Override
    public void write() throws SQLException {
      EngineChanges changes = engine.takeChanges();
      written = changes;
      for (Symbol symbol : changes.symbols()) {
        accountRows.add(symbol);
      }
      for (CashAccount account : changes.accounts()) {
        accountRows.put(account);
      }
      for (Position position : changes.positions()) {
        accountRows.put(position);
      }
      for (ShareDeposit deposit : decider().deposits()) {
        accountRows.add(deposit);
      }
      for (LimitOrder order : changes.orders()) {
        orderRows.put(order);
      }
      for (MatchedTrade trade : changes.trades()) {
        orderRows.add(trade);
      }
      var keys = decider().keys().records();
      if (!keys.isEmpty()) {
        answers.write(keys, clock.instant());
      }
    }

    @Override
    public void publish() {
      if (written != null && decider != null) {
        publish(written, decider.deposits().size());
      }
      committed = true;
    }

    private void publish(EngineChanges changes, int deposits) {
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
      lastDeposit += deposits;
      openOrders = open;
      feed.publish(changes.symbols(), changes.trades(), depths(changes.depths()));
    }
  }
}
