package toystore.exchange;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import toystore.exchange.ExchangeResult.AccountCreated;
import toystore.exchange.ExchangeResult.OrderFound;
import toystore.exchange.ExchangeResult.OrderOpened;
import toystore.exchange.ExchangeResult.Reason;
import toystore.exchange.ExchangeResult.RefusedCommand;
import toystore.exchange.ExchangeResult.SharesAdded;
import toystore.exchange.engine.CashAccount;
import toystore.exchange.engine.EngineChanges;
import toystore.exchange.engine.EngineLoader;
import toystore.exchange.engine.EngineOutcome.Accepted;
import toystore.exchange.engine.EngineOutcome.Refused;
import toystore.exchange.engine.EngineRefusal;
import toystore.exchange.engine.LimitOrder;
import toystore.exchange.engine.MarketDepth;
import toystore.exchange.engine.MatchedTrade;
import toystore.exchange.engine.MatchingEngine;
import toystore.exchange.engine.Position;
import toystore.exchange.engine.Symbol;
import toystore.platform.idempotency.BatchIdempotency;
import toystore.platform.idempotency.IdempotencyRecords;
import toystore.platform.idempotency.RequestKey;
import toystore.platform.storage.CorruptDataException;
import toystore.platform.storage.SqliteBatchStore;
import toystore.platform.storage.SqliteFile;

/// Applies commands to the [MatchingEngine] and writes what they changed.
///
/// ```
/// decide  the engine, in place: committed state + the batch's own changes
/// write   the final state of each changed row: account, symbol, position, share_deposit,
///         limit_order, trade, answer
/// commit  all of them: one transaction
/// publish MarketFeed
/// ```
///
/// If a batch fails, the engine has changes that are not on disk. The next batch then discards the
/// engine and reads a new one from the tables.
final class ExchangeBatchStore extends SqliteBatchStore<PendingExchangeCommand, ExchangeResult> {
  private static final Logger log = LoggerFactory.getLogger(ExchangeBatchStore.class);

  /// Published prices of each side of a book.
  static final int LEVELS = 100;

  private static final int PAGE = 10_000;

  private final Connection writing;
  private final CashAccountStore accounts;
  private final LimitOrderStore orders;
  private final CashAccountStore.Rows accountRows;
  private final LimitOrderStore.Rows orderRows;
  private final IdempotencyRecords<KeyedAnswer> answers;
  private final MarketFeed feed;
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

  /// Reads the committed state and publishes it.
  ExchangeBatchStore(
      SqliteFile file,
      CashAccountStore accounts,
      LimitOrderStore orders,
      MarketFeed feed,
      InstantSource clock)
      throws SQLException {
    super(file);
    this.writing = file.writing();
    this.accounts = accounts;
    this.orders = orders;
    this.accountRows = accounts.rows(writing);
    this.orderRows = orders.rows(writing);
    this.answers = new IdempotencyRecords<>(writing, AnswerStore.ANSWERS);
    this.feed = feed;
    this.clock = clock;
    this.lastDeposit = CashAccountStore.lastDeposit(writing);
    this.lastOrder = orders.lastOrder(writing);
    List<Symbol> symbols = new ArrayList<>();
    this.engine = load(symbols);
    feed.load(orders.lastTrade(writing), depths(symbols));
    file.rollback();
  }

  /// Reads an engine from the tables.
  ///
  /// @param symbols receives all symbols
  private MatchingEngine load(List<Symbol> symbols) throws SQLException {
    var loader = new EngineLoader();
    symbols.addAll(SymbolStore.SYMBOLS.rows(writing, "ORDER BY number"));
    symbols.forEach(loader::load);
    long number = 0;
    List<CashAccount> accountPage;
    do {
      accountPage = CashAccountStore.page(writing, null, number, PAGE);
      accountPage.forEach(loader::load);
      number += accountPage.size();
    } while (accountPage.size() == PAGE);
    lastAccount = number;
    number = 0;
    List<Position> positionPage;
    do {
      positionPage = accounts.positions(writing, number, PAGE);
      positionPage.forEach(loader::load);
      number += positionPage.size();
    } while (positionPage.size() == PAGE);
    number = 0;
    long open = 0;
    List<LimitOrder> orderPage;
    do {
      orderPage = orders.open(writing, number, PAGE);
      orderPage.forEach(loader::load);
      open += orderPage.size();
      number = orderPage.isEmpty() ? number : orderPage.getLast().number();
    } while (orderPage.size() == PAGE);
    openOrders = open;
    return loader.engine(orders.lastOrder(writing), orders.lastTrade(writing));
  }

  private List<MarketDepth> depths(List<Symbol> symbols) {
    return symbols.stream().map(it -> engine.depth(it.name(), LEVELS).orElseThrow()).toList();
  }

  /// Number of accounts. Any thread.
  long accounts() {
    return lastAccount;
  }

  /// Number of open orders. Any thread.
  long openOrders() {
    return openOrders;
  }

  /// Orders that were opened since the start. Any thread.
  long placed() {
    return placed.sum();
  }

  /// Trades that were made since the start. Any thread.
  long traded() {
    return traded.sum();
  }

  /// How often a failed batch caused the engine to be read again since the start. Any thread.
  long rebuilds() {
    return rebuilds.sum();
  }

  @Override
  public Batch<PendingExchangeCommand, ExchangeResult> open() {
    var batch = new OpenBatch(!committed);
    committed = false;
    return batch;
  }

  /// One batch.
  private final class OpenBatch extends Transaction {
    private final List<ShareDeposit> deposits = new ArrayList<>();
    private final BatchIdempotency<KeyedAnswer> keys = new BatchIdempotency<>(KeyedAnswer.POLICY);
    private boolean isStale;
    private @Nullable EngineChanges written;

    /// @param isStale whether the engine has changes of a batch that failed
    OpenBatch(boolean isStale) {
      this.isStale = isStale;
    }

    @Override
    public ExchangeResult decide(PendingExchangeCommand request) throws SQLException {
      if (isStale) {
        engine = new MatchingEngine(); // two would need twice the memory
        engine = load(new ArrayList<>());
        rebuilds.increment();
        isStale = false;
      }
      Instant now = clock.instant();
      if (request.cancelled().getAsBoolean()
          || (request.decideBy() != null && now.isAfter(request.decideBy()))) {
        return new RefusedCommand(
            Reason.TOO_LATE, "deadline exceeded; the request was not processed");
      }
      try {
        return switch (request.command()) {
          case ExchangeCommand.Keyable command -> decide(command, request, now);
          case ExchangeCommand.FindOrder(var account, long order) ->
              find(account, order, false, now);
          case ExchangeCommand.CancelOrder(var account, long order) ->
              find(account, order, true, now);
        };
      } catch (CorruptDataException e) { // affects only this command, which has changed nothing
        log.error("{}", e.getMessage());
        return new RefusedCommand(Reason.DAMAGED, "internal error");
      }
    }

    private ExchangeResult decide(
        ExchangeCommand.Keyable command, PendingExchangeCommand request, Instant now)
        throws SQLException {
      RequestKey key = request.key();
      if (key == null) {
        return apply(command, now);
      }
      KeyedAnswer answer =
          keys.answer(
              key,
              request.hash(),
              keys.find(key, answers),
              now,
              () -> KeyedAnswer.of(apply(command, now)));
      return answer.result() == null ? stored(answer) : answer.result();
    }

    private ExchangeResult apply(ExchangeCommand.Keyable command, Instant now) {
      return switch (command) {
        case ExchangeCommand.CreateAccount(var xmlId, var owner, long balance) ->
            switch (engine.createAccount(xmlId, owner, balance)) {
              case Accepted(var account) -> new AccountCreated(account, false);
              case Refused(var reason) -> refused(reason);
            };
        case ExchangeCommand.AddShares add -> addShares(add, now);
        case ExchangeCommand.PlaceOrder place -> placeOrder(place, now);
      };
    }

    private ExchangeResult addShares(ExchangeCommand.AddShares add, Instant now) {
      CashAccount account = account(add.account());
      if (account == null) {
        return refused(EngineRefusal.ACCOUNT_NOT_FOUND);
      }
      return switch (engine.addShares(account.number(), add.symbol(), add.sharesE4())) {
        case Accepted(var position) -> {
          deposits.add(
              new ShareDeposit(
                  lastDeposit + deposits.size() + 1,
                  position.number(),
                  position.symbol().number(),
                  add.sharesE4(),
                  now.toEpochMilli()));
          yield new SharesAdded(position, false);
        }
        case Refused(var reason) -> refused(reason);
      };
    }

    private ExchangeResult placeOrder(ExchangeCommand.PlaceOrder place, Instant now) {
      CashAccount account = account(place.account());
      if (account == null) {
        return refused(EngineRefusal.ACCOUNT_NOT_FOUND);
      }
      return switch (engine.placeOrder(
          account.number(),
          place.symbol(),
          place.side(),
          place.sharesE4(),
          place.limitE4(),
          now.toEpochMilli())) {
        case Accepted(var order) ->
            new OrderOpened(order, engine.newTradesOf(order.number()), false);
        case Refused(var reason) -> refused(reason);
      };
    }

    private @Nullable CashAccount account(AccountKey key) {
      return switch (key) {
        case AccountKey.Numbered it -> engine.account(it.number()).filter(it::reaches).orElse(null);
        case AccountKey.Xml(String id) -> engine.accountByXmlId(id).orElse(null);
      };
    }

    /// Returns an order with its trades, those on disk and those of this batch.
    private ExchangeResult find(AccountKey key, long number, boolean cancel, Instant now)
        throws SQLException {
      CashAccount account = account(key);
      if (account == null) {
        return refused(EngineRefusal.ACCOUNT_NOT_FOUND);
      }
      boolean onDisk = number <= lastOrder;
      Optional<LimitOrder> known = engine.order(number);
      if (known.isEmpty() && onDisk) {
        known = orders.find(writing, number);
      }
      if (known.isEmpty() || known.get().account() != account.number()) {
        return new RefusedCommand(Reason.ORDER_NOT_FOUND, "order not found");
      }
      LimitOrder order = known.get();
      var trades =
          new ArrayList<MatchedTrade>(onDisk ? orders.tradesOf(writing, order) : List.of());
      trades.addAll(engine.newTradesOf(number));
      return new OrderFound(cancel && order.openE4() > 0 ? cancelled(number, now) : order, trades);
    }

    private LimitOrder cancelled(long number, Instant now) {
      return switch (engine.cancelOrder(number, now.toEpochMilli())) {
        case Accepted(var order) -> order;
        case Refused(var reason) ->
            throw new IllegalStateException(
                "open order %d cannot be canceled: %s".formatted(number, reason));
      };
    }

    /// The result that a stored answer stands for.
    private ExchangeResult stored(KeyedAnswer answer) throws SQLException {
      return switch (answer.outcome()) {
        case KeyedAnswer.ACCOUNT_CREATED -> new AccountCreated(atFirst(answer.number()), true);
        case KeyedAnswer.SHARES_ADDED -> {
          Position now = accounts.position(writing, answer.number());
          yield new SharesAdded(
              new Position(
                  now.number(),
                  now.account(),
                  now.symbol(),
                  answer.sharesE4(),
                  answer.reservedE4()),
              true);
        }
        case KeyedAnswer.ORDER_OPENED -> opened(answer.number());
        default ->
            new RefusedCommand(
                Reason.valueOf(answer.outcome()), String.valueOf(answer.message()), true);
      };
    }

    private CashAccount atFirst(long number) {
      CashAccount now = engine.account(number).orElseThrow();
      return new CashAccount(
          number, now.xmlId(), now.owner(), now.depositedE8(), now.depositedE8(), 0);
    }

    /// An order as it was opened, with the trades that it made at once: those with earlier orders.
    private OrderOpened opened(long number) throws SQLException {
      LimitOrder now = engine.order(number).orElse(null);
      if (now == null) {
        now =
            orders
                .find(writing, number)
                .orElseThrow(() ->
                    new CorruptDataException(
                        "damaged table: order %d is missing".formatted(number)));
      }
      var trades = new ArrayList<MatchedTrade>(orders.tradesOf(writing, now));
      trades.removeIf(it -> Math.max(it.buyOrder(), it.sellOrder()) != number);
      long executed = trades.stream().mapToLong(MatchedTrade::sharesE4).sum();
      var order =
          new LimitOrder(
              number,
              now.account(),
              now.symbol(),
              now.side(),
              now.sharesE4(),
              now.limitE4(),
              now.sharesE4() - executed,
              0,
              now.openedAt(),
              0);
      return new OrderOpened(order, trades, true);
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
      for (ShareDeposit deposit : deposits) {
        accountRows.add(deposit);
      }
      for (LimitOrder order : changes.orders()) {
        orderRows.put(order);
      }
      for (MatchedTrade trade : changes.trades()) {
        orderRows.add(trade);
      }
      if (!keys.records().isEmpty()) {
        answers.write(keys.records(), clock.instant());
      }
    }

    @Override
    public void publish() {
      if (written != null) {
        publish(written);
      }
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

  private static RefusedCommand refused(EngineRefusal refusal) {
    Reason reason =
        switch (refusal) {
          case INVALID_XML_ID, INVALID_BALANCE, INVALID_SYMBOL, INVALID_SHARES, INVALID_LIMIT ->
              Reason.INVALID;
          case ACCOUNT_EXISTS -> Reason.ACCOUNT_EXISTS;
          case ACCOUNT_NOT_FOUND -> Reason.ACCOUNT_NOT_FOUND;
          case SYMBOL_NOT_FOUND -> Reason.SYMBOL_NOT_FOUND;
          case INSUFFICIENT_CASH -> Reason.INSUFFICIENT_CASH;
          case INSUFFICIENT_SHARES -> Reason.INSUFFICIENT_SHARES;
          case OVERFLOW -> Reason.OVERFLOW;
          case ORDER_NOT_OPEN -> Reason.ORDER_NOT_FOUND;
        };
    return new RefusedCommand(reason, refusal.message());
  }
}
