package toystore.exchange.engine;

import static toystore.exchange.engine.EngineRefusal.ACCOUNT_EXISTS;
import static toystore.exchange.engine.EngineRefusal.ACCOUNT_NOT_FOUND;
import static toystore.exchange.engine.EngineRefusal.INSUFFICIENT_CASH;
import static toystore.exchange.engine.EngineRefusal.INSUFFICIENT_SHARES;
import static toystore.exchange.engine.EngineRefusal.INVALID_BALANCE;
import static toystore.exchange.engine.EngineRefusal.INVALID_LIMIT;
import static toystore.exchange.engine.EngineRefusal.INVALID_SHARES;
import static toystore.exchange.engine.EngineRefusal.INVALID_SYMBOL;
import static toystore.exchange.engine.EngineRefusal.INVALID_XML_ID;
import static toystore.exchange.engine.EngineRefusal.ORDER_NOT_OPEN;
import static toystore.exchange.engine.EngineRefusal.OVERFLOW;
import static toystore.exchange.engine.EngineRefusal.SYMBOL_NOT_FOUND;
import static toystore.exchange.engine.EngineRefusal.TOO_MANY_ACCOUNTS;
import static toystore.exchange.engine.EngineRefusal.TOO_MANY_ACCOUNTS_OF_OWNER;
import static toystore.exchange.engine.EngineRefusal.TOO_MANY_ORDERS;
import static toystore.exchange.engine.EngineRefusal.TOO_MANY_ORDERS_OF_ACCOUNT;
import static toystore.exchange.engine.EngineRefusal.TOO_MANY_POSITIONS;
import static toystore.exchange.engine.EngineRefusal.TOO_MANY_SYMBOLS;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import toystore.exchange.engine.EngineOutcome.Accepted;
import toystore.exchange.engine.EngineOutcome.Refused;

/// Accounts, positions and the order books of all symbols. One thread.
///
/// A new order meets the open orders of the other side: the best price first, then the earliest. A
/// trade has the price of the order that was open first. An account may trade with itself. What is
/// left of an order stays open and keeps its place.
///
/// An open buy order reserves its open shares times its limit in cash, an open sell order its open
/// shares. Nothing overflows: an order is refused if an account's cash, reserved cash and the value
/// of all its open sell orders would exceed `Long.MAX_VALUE`; the same holds for its shares of a
/// symbol with its open buy orders, and for the open shares of one side and price. A command that
/// would exceed [EngineBounds] is refused. A cancel never is.
///
/// An [EngineLoader] loads it after a restart. Times are opaque to the engine.
public final class MatchingEngine {
  private static final Pattern XML_ID = Pattern.compile("[0-9]{1,32}");
  private static final Pattern SYMBOL = Pattern.compile("[0-9A-Za-z]{1,32}");

  /// An order that these prices fill at once is accepted however many orders are open.
  private static final int CHECKED_LEVELS = 100;

  private final EngineBounds bounds;
  final List<AccountState> accounts = new ArrayList<>();
  private final Map<String, Integer> accountsByOwner = new HashMap<>();
  private final Map<String, AccountState> accountsByXmlId = new HashMap<>();
  final Map<String, OrderBook> books = new HashMap<>();

  /// Also closed ones until the changes are taken.
  final Map<Long, OpenOrder> orders = new HashMap<>();

  private final ChangeLog changes = new ChangeLog();
  private int openOrders;
  private int positions;
  private int tradesBefore; // the last order
  long lastPosition;
  long lastOrder;
  long lastTrade;

  public MatchingEngine(EngineBounds bounds) {
    this.bounds = bounds;
  }

  /// Refusals: INVALID_XML_ID, INVALID_BALANCE, ACCOUNT_EXISTS, TOO_MANY_ACCOUNTS,
  /// TOO_MANY_ACCOUNTS_OF_OWNER.
  public EngineOutcome<CashAccount> createAccount(
      @Nullable String xmlId, @Nullable String owner, long balanceE8) {
    if (xmlId != null && !XML_ID.matcher(xmlId).matches()) {
      return new Refused<>(INVALID_XML_ID);
    }
    if (balanceE8 < 0) {
      return new Refused<>(INVALID_BALANCE);
    }
    if (xmlId != null && accountsByXmlId.containsKey(xmlId)) {
      return new Refused<>(ACCOUNT_EXISTS);
    }
    if (accounts.size() >= bounds.accounts()) {
      return new Refused<>(TOO_MANY_ACCOUNTS);
    }
    if (owner != null && accountsByOwner.getOrDefault(owner, 0) >= bounds.accountsOfOwner()) {
      return new Refused<>(TOO_MANY_ACCOUNTS_OF_OWNER);
    }
    var account = new CashAccount(accounts.size() + 1L, xmlId, owner, balanceE8, balanceE8, 0);
    changes.add(add(account));
    return new Accepted<>(account);
  }

  AccountState add(CashAccount account) {
    var state = new AccountState(account);
    accounts.add(state);
    if (account.xmlId() != null) {
      accountsByXmlId.put(account.xmlId(), state);
    }
    if (account.owner() != null) {
      accountsByOwner.merge(account.owner(), 1, Integer::sum);
    }
    return state;
  }

  /// Creates the symbol if it is unknown, also with 0 shares. Refusals: INVALID_SYMBOL,
  /// INVALID_SHARES, ACCOUNT_NOT_FOUND, OVERFLOW, TOO_MANY_SYMBOLS, TOO_MANY_POSITIONS.
  public EngineOutcome<Position> addShares(long account, String symbol, long sharesE4) {
    if (!SYMBOL.matcher(symbol).matches()) {
      return new Refused<>(INVALID_SYMBOL);
    }
    if (sharesE4 < 0) {
      return new Refused<>(INVALID_SHARES);
    }
    AccountState owner = find(account);
    if (owner == null) {
      return new Refused<>(ACCOUNT_NOT_FOUND);
    }
    OrderBook known = books.get(symbol);
    if (known == null && books.size() >= bounds.symbols()) {
      return new Refused<>(TOO_MANY_SYMBOLS);
    }
    if ((known == null || !owner.positions.containsKey(known)) && positions >= bounds.positions()) {
      return new Refused<>(TOO_MANY_POSITIONS);
    }
    OrderBook book = known == null ? createBook(symbol) : known;
    PositionState position = attach(position(owner, book));
    if (sharesE4 > Long.MAX_VALUE - position.boundE4()) {
      return new Refused<>(OVERFLOW);
    }
    position.sharesE4 += sharesE4;
    markChanged(position);
    return new Accepted<>(position.snapshot());
  }

  private OrderBook createBook(String name) {
    var symbol = new Symbol(books.size() + 1L, name);
    changes.add(symbol);
    var book = new OrderBook(symbol);
    books.put(name, book);
    return book;
  }

  /// Opens an order, reserves its cash or shares, and executes what matches at once. Refusals:
  /// INVALID_SHARES, INVALID_LIMIT, ACCOUNT_NOT_FOUND, SYMBOL_NOT_FOUND, INSUFFICIENT_CASH,
  /// INSUFFICIENT_SHARES, OVERFLOW, TOO_MANY_ORDERS, TOO_MANY_ORDERS_OF_ACCOUNT,
  /// TOO_MANY_POSITIONS.
  public EngineOutcome<LimitOrder> placeOrder(
      long account, String symbol, Side side, long sharesE4, long limitE4, long time) {
    if (sharesE4 <= 0) {
      return new Refused<>(INVALID_SHARES);
    }
    if (limitE4 <= 0) {
      return new Refused<>(INVALID_LIMIT);
    }
    AccountState owner = find(account);
    if (owner == null) {
      return new Refused<>(ACCOUNT_NOT_FOUND);
    }
    OrderBook book = books.get(symbol);
    if (book == null) {
      return new Refused<>(SYMBOL_NOT_FOUND);
    }
    PositionState position = position(owner, book);
    EngineRefusal refusal =
        side == Side.BUY
            ? checkBuy(position, sharesE4, limitE4)
            : checkSell(position, sharesE4, limitE4);
    if (refusal == null) {
      refusal = checkBounds(position, side, sharesE4, limitE4);
    }
    if (refusal != null) {
      return new Refused<>(refusal);
    }
    attach(position);
    tradesBefore = changes.trades().size();
    var order = new OpenOrder(++lastOrder, position, side, sharesE4, limitE4, time);
    orders.put(order.number, order);
    order.reserve();
    markChanged(order);
    match(order, time);
    if (order.openE4 > 0) {
      open(order);
    }
    return new Accepted<>(order.snapshot());
  }

  private static @Nullable EngineRefusal checkBuy(
      PositionState position, long sharesE4, long limitE4) {
    if (Amounts.exceeds(sharesE4, limitE4, position.account.cashE8)) {
      return INSUFFICIENT_CASH;
    }
    if (sharesE4 > Long.MAX_VALUE - position.boundE4()) {
      return OVERFLOW;
    }
    return checkLevel(position.book.side(Side.BUY), sharesE4, limitE4);
  }

  private static @Nullable EngineRefusal checkSell(
      PositionState position, long sharesE4, long limitE4) {
    if (sharesE4 > position.sharesE4) {
      return INSUFFICIENT_SHARES;
    }
    long free = Long.MAX_VALUE - position.account.boundE8();
    long rest = sharesE4;
    for (PriceLevel bid : position.book.side(Side.BUY).within(limitE4)) {
      long part = Math.min(rest, bid.openE4);
      if (Amounts.exceeds(part, bid.priceE4, free)) {
        return OVERFLOW;
      }
      free -= part * bid.priceE4;
      rest -= part;
      if (rest == 0) {
        return null;
      }
    }
    if (Amounts.exceeds(rest, limitE4, free)) {
      return OVERFLOW;
    }
    return checkLevel(position.book.side(Side.SELL), sharesE4, limitE4);
  }

  /// If there is a level with the order's limit, all of the order stays open: the other side has no
  /// order that matches.
  private static @Nullable EngineRefusal checkLevel(BookSide side, long sharesE4, long limitE4) {
    PriceLevel level = side.level(limitE4);
    return level != null && sharesE4 > Long.MAX_VALUE - level.openE4 ? OVERFLOW : null;
  }

  private @Nullable EngineRefusal checkBounds(
      PositionState position, Side side, long sharesE4, long limitE4) {
    if (!position.attached && positions >= bounds.positions()) {
      return TOO_MANY_POSITIONS;
    }
    boolean accountIsFull = position.account.openOrders >= bounds.openOrdersOfAccount();
    if ((accountIsFull || openOrders >= bounds.openOrders())
        && staysOpen(position.book.opposite(side), sharesE4, limitE4)) {
      return accountIsFull ? TOO_MANY_ORDERS_OF_ACCOUNT : TOO_MANY_ORDERS;
    }
    return null;
  }

  /// Whether the best prices of the other side do not fill an order at once.
  private static boolean staysOpen(BookSide opposite, long sharesE4, long limitE4) {
    long rest = sharesE4;
    int levels = 0;
    for (PriceLevel level : opposite.within(limitE4)) {
      rest -= Math.min(rest, level.openE4);
      if (rest == 0) {
        return false;
      }
      if (++levels == CHECKED_LEVELS) {
        break;
      }
    }
    return true;
  }

  private void match(OpenOrder order, long time) {
    BookSide opposite = order.position.book.opposite(order.side);
    PriceLevel level = opposite.bestWithin(order.limitE4);
    while (order.openE4 > 0 && level != null && level.first != null) {
      OpenOrder earlier = level.first;
      long sharesE4 = Math.min(order.openE4, earlier.openE4);
      if (order.side == Side.BUY) {
        trade(order, earlier, sharesE4, earlier.limitE4, time);
      } else {
        trade(earlier, order, sharesE4, earlier.limitE4, time);
      }
      opposite.reduce(level, earlier, sharesE4);
      if (earlier.openE4 == 0) {
        close(earlier);
      }
      level = opposite.bestWithin(order.limitE4);
    }
  }

  private void trade(OpenOrder buy, OpenOrder sell, long sharesE4, long priceE4, long time) {
    buy.execute(sharesE4, priceE4);
    sell.execute(sharesE4, priceE4);
    var trade =
        new MatchedTrade(
            ++lastTrade,
            buy.position.book.symbol,
            priceE4,
            sharesE4,
            buy.number,
            sell.number,
            time);
    changes.add(trade);
    markChanged(buy);
    markChanged(buy.position);
    markChanged(sell);
    changes.add(sell.position.account);
  }

  void open(OpenOrder order) {
    order.position.book.side(order.side).add(order);
    order.position.account.openOrders++;
    openOrders++;
  }

  private void close(OpenOrder order) {
    order.position.account.openOrders--;
    openOrders--;
  }

  /// Returns cash or shares of what is open. Refusal: ORDER_NOT_OPEN, if it never existed or is
  /// closed.
  public EngineOutcome<LimitOrder> cancelOrder(long number, long time) {
    OpenOrder order = orders.get(number);
    if (order == null || order.level == null) {
      return new Refused<>(ORDER_NOT_OPEN);
    }
    long sharesE4 = order.openE4;
    order.cancel(time);
    order.position.book.side(order.side).reduce(order.level, order, sharesE4);
    close(order);
    detachIfUnused(order.position);
    markChanged(order);
    return new Accepted<>(order.snapshot());
  }

  /// With what it reserves.
  private void markChanged(OpenOrder order) {
    changes.add(order);
    changes.add(order.position.book);
    if (order.side == Side.BUY) {
      changes.add(order.position.account);
    } else {
      markChanged(order.position);
    }
  }

  private void markChanged(PositionState position) {
    if (position.number == 0) {
      position.number = ++lastPosition;
    }
    changes.add(position);
  }

  @Nullable AccountState find(long number) {
    return 1 <= number && number <= accounts.size() ? accounts.get((int) number - 1) : null;
  }

  /// A new one if the account has none. See [#attach].
  static PositionState position(AccountState account, OrderBook book) {
    PositionState position = account.positions.get(book);
    return position == null ? new PositionState(account, book) : position;
  }

  /// Keeps a position, if it is new.
  PositionState attach(PositionState position) {
    if (!position.attached) {
      position.attached = true;
      position.account.positions.put(position.book, position);
      positions++;
    }
    return position;
  }

  /// Forgets the position of a canceled buy order that never received shares.
  private void detachIfUnused(PositionState position) {
    if (position.number == 0 && position.expectedE4 == 0) {
      position.attached = false;
      position.account.positions.remove(position.book);
      positions--;
    }
  }

  public Optional<CashAccount> account(long number) {
    return Optional.ofNullable(find(number)).map(AccountState::snapshot);
  }

  public Optional<CashAccount> accountByXmlId(String xmlId) {
    return Optional.ofNullable(accountsByXmlId.get(xmlId)).map(AccountState::snapshot);
  }

  /// Also one that was closed since the last [#takeChanges()].
  public Optional<LimitOrder> order(long number) {
    return Optional.ofNullable(orders.get(number)).map(OpenOrder::snapshot);
  }

  /// The first that it made at once. Call it before [#takeChanges()].
  public List<MatchedTrade> tradesOfLastOrder(int limit) {
    List<MatchedTrade> trades = changes.trades();
    int count = Math.min(limit, trades.size() - tradesBefore);
    return List.copyOf(trades.subList(tradesBefore, tradesBefore + count));
  }

  /// 0 if there is none.
  public long lastOrder() {
    return lastOrder;
  }

  public int openOrders() {
    return openOrders;
  }

  /// Empty if the symbol is unknown.
  ///
  /// @param levels at most this many prices a side
  public Optional<MarketDepth> depth(String symbol, int levels) {
    return Optional.ofNullable(books.get(symbol)).map(it -> it.depth(levels));
  }

  /// Call it after each batch: it forgets closed orders and trades.
  public EngineChanges takeChanges() {
    for (OpenOrder order : changes.orders()) {
      if (order.openE4 == 0) {
        orders.remove(order.number);
      }
    }
    tradesBefore = 0;
    return changes.take();
  }
}
