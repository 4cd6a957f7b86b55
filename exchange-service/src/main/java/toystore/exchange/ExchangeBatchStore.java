package toystore.exchange;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import toystore.exchange.ExchangeResult.AccountCreated;
import toystore.exchange.ExchangeResult.AnswerKnown;
import toystore.exchange.ExchangeResult.OrderClosed;
import toystore.exchange.ExchangeResult.OrderOpened;
import toystore.exchange.ExchangeResult.Reason;
import toystore.exchange.ExchangeResult.RefusedCommand;
import toystore.exchange.ExchangeResult.SharesAdded;
import toystore.exchange.ExchangeResult.TradePage;
import toystore.exchange.engine.CashAccount;
import toystore.exchange.engine.EngineBounds;
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
/// No query comes here: [OrderAnswerStore] reads committed rows. A cancel or the repeat of a known
/// key is decided here, and what its answer shows is read there.
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

  /// Reads the committed state and publishes it.
  ExchangeBatchStore(
      SqliteFile file,
      CashAccountStore accounts,
      LimitOrderStore orders,
      MarketFeed feed,
      EngineBounds bounds,
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
    this.bounds = bounds;
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
    var loader = new EngineLoader(bounds);
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
        engine = new MatchingEngine(bounds); // two would need twice the memory
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
          case ExchangeCommand.CancelOrder(var account, long order) -> cancel(account, order, now);
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
        case Accepted(var order) -> new OrderOpened(order, shownTrades(place.account()), false);
        case Refused(var reason) -> refused(reason);
      };
    }

    private @Nullable CashAccount account(AccountKey key) {
      return switch (key) {
        case AccountKey.Numbered it -> engine.account(it.number()).filter(it::reaches).orElse(null);
        case AccountKey.Xml(String id) -> engine.accountByXmlId(id).orElse(null);
      };
    }

    /// The trades of the last order that its answer shows.
    private TradePage shownTrades(AccountKey key) {
      return key instanceof AccountKey.Xml
          ? TradePage.NONE
          : TradePage.first(
              engine.tradesOfLastOrder(OrderAnswerStore.PAGE + 1), OrderAnswerStore.PAGE);
    }

    private ExchangeResult cancel(AccountKey key, long number, Instant now) {
      CashAccount account = account(key);
      if (account == null) {
        return refused(EngineRefusal.ACCOUNT_NOT_FOUND);
      }
      LimitOrder order = engine.order(number).orElse(null);
      if (order != null && order.account() == account.number() && order.openE4() > 0) {
        return switch (engine.cancelOrder(number, now.toEpochMilli())) {
          case Accepted(_) -> new OrderClosed();
          case Refused(var reason) ->
              throw new IllegalStateException(
                  String.format(
                      Locale.ROOT, "open order %d cannot be canceled: %s", number, reason));
        };
      }
      return new OrderClosed();
    }

    /// The result that a stored answer stands for.
    private ExchangeResult stored(KeyedAnswer answer) {
      return switch (answer.outcome()) {
        case KeyedAnswer.ACCOUNT_CREATED -> new AccountCreated(atFirst(answer.number()), true);
        case KeyedAnswer.SHARES_ADDED, KeyedAnswer.ORDER_OPENED -> new AnswerKnown(answer);
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

  private RefusedCommand refused(EngineRefusal refusal) {
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
          case TOO_MANY_ORDERS_OF_ACCOUNT,
              TOO_MANY_ORDERS,
              TOO_MANY_ACCOUNTS_OF_OWNER,
              TOO_MANY_ACCOUNTS,
              TOO_MANY_SYMBOLS,
              TOO_MANY_POSITIONS ->
              Reason.LIMIT_REACHED;
        };
    return new RefusedCommand(reason, refusal.message(bounds));
  }
}
