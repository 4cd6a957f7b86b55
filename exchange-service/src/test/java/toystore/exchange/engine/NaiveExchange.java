package toystore.exchange.engine;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import toystore.exchange.engine.EngineOutcome.Accepted;
import toystore.exchange.engine.EngineOutcome.Refused;

/// The rules of [MatchingEngine], written for clarity instead of speed: decimal numbers, one list
/// of open orders, and no reservations: they are computed when they are needed.
final class NaiveExchange {
  private static final BigDecimal MOST_CASH = BigDecimal.valueOf(Long.MAX_VALUE, 8);
  private static final BigDecimal MOST_SHARES = BigDecimal.valueOf(Long.MAX_VALUE, 4);

  final List<Symbol> symbols = new ArrayList<>();
  final List<MatchedTrade> trades = new ArrayList<>();
  final List<Order> open = new ArrayList<>();
  private final List<Account> accounts = new ArrayList<>();
  private final List<Holding> holdings = new ArrayList<>();
  private final Map<Long, Order> orders = new TreeMap<>();

  private static final class Account {
    final CashAccount created;
    BigDecimal cash; // with what is reserved

    Account(CashAccount created) {
      this.created = created;
      cash = decimal(created.cashE8(), 8);
    }
  }

  private static final class Holding {
    final long number;
    final long account;
    final Symbol symbol;
    BigDecimal shares = BigDecimal.ZERO; // with what is reserved

    Holding(long number, long account, Symbol symbol) {
      this.number = number;
      this.account = account;
      this.symbol = symbol;
    }
  }

  static final class Order {
    final LimitOrder placed;
    final BigDecimal limit;
    BigDecimal open;
    BigDecimal canceled = BigDecimal.ZERO;
    long canceledAt;

    Order(LimitOrder placed) {
      this.placed = placed;
      limit = decimal(placed.limitE4(), 4);
      open = decimal(placed.sharesE4(), 4);
    }

    boolean isOf(long account, Side side) {
      return placed.account() == account && placed.side() == side;
    }

    BigDecimal value() {
      return open.multiply(limit);
    }

    LimitOrder snapshot() {
      return new LimitOrder(
          placed.number(),
          placed.account(),
          placed.symbol(),
          placed.side(),
          placed.sharesE4(),
          placed.limitE4(),
          fixed(open, 4),
          fixed(canceled, 4),
          placed.openedAt(),
          canceledAt);
    }
  }

  EngineOutcome<CashAccount> createAccount(
      @Nullable String xmlId, @Nullable String owner, long balanceE8) {
    if (balanceE8 < 0) {
      return new Refused<>(EngineRefusal.INVALID_BALANCE);
    }
    if (xmlId != null && accounts.stream().anyMatch(it -> xmlId.equals(it.created.xmlId()))) {
      return new Refused<>(EngineRefusal.ACCOUNT_EXISTS);
    }
    var created = new CashAccount(accounts.size() + 1L, xmlId, owner, balanceE8, balanceE8, 0);
    accounts.add(new Account(created));
    return new Accepted<>(created);
  }

  EngineOutcome<Position> addShares(long account, String name, long sharesE4) {
    if (sharesE4 < 0) {
      return new Refused<>(EngineRefusal.INVALID_SHARES);
    }
    if (account < 1 || account > accounts.size()) {
      return new Refused<>(EngineRefusal.ACCOUNT_NOT_FOUND);
    }
    Symbol symbol = symbol(name).orElseGet(() -> addSymbol(name));
    BigDecimal shares = decimal(sharesE4, 4);
    if (boundOfShares(account, symbol).add(shares).compareTo(MOST_SHARES) > 0) {
      return new Refused<>(EngineRefusal.OVERFLOW);
    }
    Holding holding = holding(account, symbol).orElseGet(() -> addHolding(account, symbol));
    holding.shares = holding.shares.add(shares);
    return new Accepted<>(position(holding));
  }

  EngineOutcome<LimitOrder> placeOrder(
      long account, String name, Side side, long sharesE4, long limitE4, long time) {
    if (sharesE4 <= 0) {
      return new Refused<>(EngineRefusal.INVALID_SHARES);
    }
    if (limitE4 <= 0) {
      return new Refused<>(EngineRefusal.INVALID_LIMIT);
    }
    if (account < 1 || account > accounts.size()) {
      return new Refused<>(EngineRefusal.ACCOUNT_NOT_FOUND);
    }
    if (symbol(name).isEmpty()) {
      return new Refused<>(EngineRefusal.SYMBOL_NOT_FOUND);
    }
    Symbol symbol = symbol(name).get();
    var order =
        new Order(
            new LimitOrder(
                orders.size() + 1L,
                account,
                symbol,
                side,
                sharesE4,
                limitE4,
                sharesE4,
                0,
                time,
                0));
    EngineRefusal refusal = side == Side.BUY ? checkBuy(order) : checkSell(order);
    if (refusal == null && openAtLimit(order).compareTo(MOST_SHARES) > 0) {
      refusal = EngineRefusal.OVERFLOW;
    }
    if (refusal != null) {
      return new Refused<>(refusal);
    }
    orders.put(order.placed.number(), order);
    matching(order).forEach(it -> trade(order, it, time));
    open.add(order);
    open.removeIf(it -> it.open.signum() == 0);
    return new Accepted<>(order.snapshot());
  }

  private @Nullable EngineRefusal checkBuy(Order buy) {
    long account = buy.placed.account();
    if (buy.value().compareTo(cash(account).subtract(reservedCash(account))) > 0) {
      return EngineRefusal.INSUFFICIENT_CASH;
    }
    BigDecimal bound = boundOfShares(account, buy.placed.symbol()).add(buy.open);
    return bound.compareTo(MOST_SHARES) > 0 ? EngineRefusal.OVERFLOW : null;
  }

  private @Nullable EngineRefusal checkSell(Order sell) {
    long account = sell.placed.account();
    Symbol symbol = sell.placed.symbol();
    BigDecimal free =
        holding(account, symbol)
            .map(it -> it.shares)
            .orElse(BigDecimal.ZERO)
            .subtract(reservedShares(account, symbol));
    if (sell.open.compareTo(free) > 0) {
      return EngineRefusal.INSUFFICIENT_SHARES;
    }
    BigDecimal bound =
        cash(account)
            .add(sum(open.stream().filter(it -> it.isOf(account, Side.SELL)), Order::value));
    BigDecimal rest = sell.open;
    for (Order buy : matching(sell)) {
      bound = bound.add(rest.min(buy.open).multiply(buy.limit));
      rest = rest.subtract(rest.min(buy.open));
    }
    bound = bound.add(rest.multiply(sell.limit));
    return bound.compareTo(MOST_CASH) > 0 ? EngineRefusal.OVERFLOW : null;
  }

  private BigDecimal openAtLimit(Order order) {
    return order.open.add(
        sum(
            open(order.placed.symbol(), order.placed.side())
                .filter(it -> it.limit.compareTo(order.limit) == 0),
            it -> it.open));
  }

  /// In the order of the trades.
  private List<Order> matching(Order order) {
    boolean buys = order.placed.side() == Side.BUY;
    Comparator<Order> byPrice = Comparator.comparing(it -> it.limit);
    return open(order.placed.symbol(), buys ? Side.SELL : Side.BUY)
        .filter(it ->
            buys ? it.limit.compareTo(order.limit) <= 0 : it.limit.compareTo(order.limit) >= 0)
        .sorted((buys ? byPrice : byPrice.reversed()).thenComparing(it -> it.placed.number()))
        .toList();
  }

  private void trade(Order later, Order earlier, long time) {
    BigDecimal shares = later.open.min(earlier.open);
    if (shares.signum() == 0) {
      return;
    }
    later.open = later.open.subtract(shares);
    earlier.open = earlier.open.subtract(shares);
    LimitOrder buy = later.placed.side() == Side.BUY ? later.placed : earlier.placed;
    LimitOrder sell = later.placed.side() == Side.BUY ? earlier.placed : later.placed;
    Symbol symbol = buy.symbol();
    BigDecimal amount = shares.multiply(earlier.limit);
    pay(buy.account(), amount.negate());
    pay(sell.account(), amount);
    Holding bought =
        holding(buy.account(), symbol).orElseGet(() -> addHolding(buy.account(), symbol));
    bought.shares = bought.shares.add(shares);
    Holding sold = holding(sell.account(), symbol).orElseThrow();
    sold.shares = sold.shares.subtract(shares);
    trades.add(
        new MatchedTrade(
            trades.size() + 1L,
            symbol,
            fixed(earlier.limit, 4),
            fixed(shares, 4),
            buy.number(),
            sell.number(),
            time));
  }

  private void pay(long account, BigDecimal amount) {
    Account paid = accounts.get((int) account - 1);
    paid.cash = paid.cash.add(amount);
  }

  EngineOutcome<LimitOrder> cancelOrder(long number, long time) {
    Order order = orders.get(number);
    if (order == null || !open.remove(order)) {
      return new Refused<>(EngineRefusal.ORDER_NOT_OPEN);
    }
    order.canceled = order.open;
    order.canceledAt = time;
    order.open = BigDecimal.ZERO;
    return new Accepted<>(order.snapshot());
  }

  CashAccount account(long number) {
    CashAccount created = accounts.get((int) number - 1).created;
    BigDecimal reserved = reservedCash(number);
    return new CashAccount(
        number,
        created.xmlId(),
        created.owner(),
        created.depositedE8(),
        fixed(cash(number).subtract(reserved), 8),
        fixed(reserved, 8));
  }

  List<CashAccount> accounts() {
    return accounts.stream().map(it -> account(it.created.number())).toList();
  }

  List<Position> positions() {
    return holdings.stream().map(this::position).toList();
  }

  private Position position(Holding holding) {
    BigDecimal reserved = reservedShares(holding.account, holding.symbol);
    return new Position(
        holding.number,
        holding.account,
        holding.symbol,
        fixed(holding.shares.subtract(reserved), 4),
        fixed(reserved, 4));
  }

  int orders() {
    return orders.size();
  }

  LimitOrder order(long number) {
    return Objects.requireNonNull(orders.get(number)).snapshot();
  }

  MarketDepth depth(Symbol symbol, int levels) {
    return new MarketDepth(
        symbol, depth(symbol, Side.BUY, levels), depth(symbol, Side.SELL, levels));
  }

  private List<MarketDepth.Level> depth(Symbol symbol, Side side, int levels) {
    Comparator<BigDecimal> ascending = Comparator.naturalOrder();
    Map<BigDecimal, List<Order>> byPrice =
        open(symbol, side)
            .collect(
                Collectors.groupingBy(
                    it -> it.limit,
                    () -> new TreeMap<>(side == Side.BUY ? ascending.reversed() : ascending),
                    Collectors.toList()));
    return byPrice.entrySet().stream()
        .limit(levels)
        .map(it ->
            new MarketDepth.Level(
                fixed(it.getKey(), 4),
                fixed(sum(it.getValue().stream(), order -> order.open), 4),
                it.getValue().size()))
        .toList();
  }

  private BigDecimal cash(long account) {
    return accounts.get((int) account - 1).cash;
  }

  private BigDecimal reservedCash(long account) {
    return sum(open.stream().filter(it -> it.isOf(account, Side.BUY)), Order::value);
  }

  private BigDecimal reservedShares(long account, Symbol symbol) {
    return sum(open(symbol, Side.SELL).filter(it -> it.isOf(account, Side.SELL)), it -> it.open);
  }

  private BigDecimal boundOfShares(long account, Symbol symbol) {
    return holding(account, symbol)
        .map(it -> it.shares)
        .orElse(BigDecimal.ZERO)
        .add(sum(open(symbol, Side.BUY).filter(it -> it.isOf(account, Side.BUY)), it -> it.open));
  }

  private Stream<Order> open(Symbol symbol, Side side) {
    return open.stream()
        .filter(it -> it.placed.symbol().equals(symbol) && it.placed.side() == side);
  }

  private Optional<Symbol> symbol(String name) {
    return symbols.stream().filter(it -> it.name().equals(name)).findFirst();
  }

  private Symbol addSymbol(String name) {
    var symbol = new Symbol(symbols.size() + 1L, name);
    symbols.add(symbol);
    return symbol;
  }

  private Optional<Holding> holding(long account, Symbol symbol) {
    return holdings.stream()
        .filter(it -> it.account == account && it.symbol.equals(symbol))
        .findFirst();
  }

  private Holding addHolding(long account, Symbol symbol) {
    var holding = new Holding(holdings.size() + 1L, account, symbol);
    holdings.add(holding);
    return holding;
  }

  private static BigDecimal sum(Stream<Order> orders, Function<Order, BigDecimal> value) {
    return orders.map(value).reduce(BigDecimal.ZERO, BigDecimal::add);
  }

  private static BigDecimal decimal(long value, int decimals) {
    return BigDecimal.valueOf(value, decimals);
  }

  private static long fixed(BigDecimal value, int decimals) {
    return value.movePointRight(decimals).longValueExact();
  }
}
