package toystore.exchange.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// Compares each answer, trade, balance, position, order and depth with [NaiveExchange]. Sometimes
/// the engine is replaced by one that was loaded from the rows so far. One walk in three has whole
/// numbers, one all decimals, one numbers of any size.
///
/// `-Dwalk.seeds=N` runs N walks of each kind, `-Dtoystore.walk.commands=N` makes them longer.
@Tag("walk")
class EngineRandomWalkTest {
  private static final int COMMANDS = Integer.getInteger("toystore.walk.commands", 4_000);
  private static final int ROWS_EVERY = Math.max(100, COMMANDS / 40);
  private static final List<String> NAMES = List.of("A", "B2", "c");
  private static final int MANY_OPEN = 60;

  private final NaiveExchange naive = new NaiveExchange();
  private final EngineRows rows = new EngineRows();
  private MatchingEngine engine = new MatchingEngine(EngineRows.UNBOUNDED);
  private Random random = new Random(0);
  private long seed;
  private int ownerless;

  static LongStream seeds() {
    return LongStream.rangeClosed(1, 3 * Long.getLong("walk.seeds", 1));
  }

  @ParameterizedTest(name = "seed {0}")
  @MethodSource("seeds")
  void engineMatchesNaiveExchangeInRandomWalk(long walkSeed) {
    seed = walkSeed;
    random = new Random(seed);
    for (int i = 1; i <= COMMANDS; i++) {
      command(i);
      compareAnswers();
      if (random.nextInt(4) > 0) {
        compareChanges();
      }
      if (i % ROWS_EVERY == 0) {
        compareChanges();
        compareRows();
        checkInvariants();
      }
      if (random.nextInt(300) == 0) {
        compareChanges();
        engine = rows.load();
      }
    }
    assertThat(naive.trades.size()).isGreaterThan(COMMANDS / 100);
  }

  private void command(long time) {
    switch (random.nextInt(20)) {
      case 0 -> createAccount();
      case 1, 2 -> addShares();
      case 3, 4, 5 -> cancel(time);
      case 6, 7, 8, 9, 10 -> {
        if (naive.open.size() > MANY_OPEN) {
          cancel(time);
        } else {
          place(time);
        }
      }
      default -> place(time);
    }
  }

  private void createAccount() {
    boolean many = naive.accounts().size() >= 6;
    boolean xml = random.nextBoolean();
    if (xml && !many) {
      ownerless++;
    }
    String xmlId = xml ? "" + ownerless : null;
    if (many && (xmlId == null || ownerless == 0)) {
      return;
    }
    String owner = xmlId == null ? "buyer:" + random.nextInt(3) : null;
    long balanceE8 = random.nextInt(10) == 0 ? -1 : amount(1_000 * 100_000_000L);
    assertThat(engine.createAccount(xmlId, owner, balanceE8))
        .isEqualTo(naive.createAccount(xmlId, owner, balanceE8));
  }

  private void addShares() {
    long account = account();
    String name = name();
    long sharesE4 = random.nextInt(10) == 0 ? random.nextInt(3) - 1L : amount(1_000_000);
    assertThat(engine.addShares(account, name, sharesE4))
        .isEqualTo(naive.addShares(account, name, sharesE4));
  }

  private void place(long time) {
    long account = account();
    String name = name();
    Side side = random.nextBoolean() ? Side.BUY : Side.SELL;
    long sharesE4 = random.nextInt(50) == 0 ? random.nextInt(3) - 1L : shares(account, name);
    long limitE4 = random.nextInt(50) == 0 ? random.nextInt(3) - 1L : limit();
    int before = naive.trades.size();
    EngineOutcome<LimitOrder> expected =
        naive.placeOrder(account, name, side, sharesE4, limitE4, time);
    assertThat(engine.placeOrder(account, name, side, sharesE4, limitE4, time)).isEqualTo(expected);
    if (expected instanceof EngineOutcome.Accepted(LimitOrder order)) {
      assertThat(engine.tradesOfLastOrder(Integer.MAX_VALUE))
          .isEqualTo(naive.trades.subList(before, naive.trades.size()));
    }
  }

  private void cancel(long time) {
    long number =
        naive.open.isEmpty() || random.nextInt(4) == 0
            ? random.nextInt(naive.orders() + 2)
            : naive.open.get(random.nextInt(naive.open.size())).placed.number();
    assertThat(engine.cancelOrder(number, time)).isEqualTo(naive.cancelOrder(number, time));
  }

  private long account() {
    return random.nextInt(40) == 0 ? random.nextInt(10) - 1L : 1 + random.nextInt(6);
  }

  private String name() {
    return NAMES.get(random.nextInt(NAMES.size()));
  }

  /// Sometimes exactly what the account has.
  private long shares(long account, String name) {
    if (seed % 3 == 0 && random.nextInt(4) == 0) {
      for (Position position : rows.positions.values()) {
        if (position.account() == account && position.symbol().name().equals(name)) {
          return position.sharesE4();
        }
      }
    }
    return amount(200_000);
  }

  private long limit() {
    return switch ((int) (seed % 3)) {
      case 0 -> amount(1);
      case 1 -> 10_000L * (1 + random.nextInt(8));
      default -> 1 + random.nextInt(80_000);
    };
  }

  /// @param large the largest number of walks that are not about large numbers
  private long amount(long large) {
    return switch ((int) (seed % 3)) {
      case 0 ->
          random.nextInt(8) == 0
              ? Long.MAX_VALUE - random.nextInt(2)
              : random.nextLong() >>> (1 + random.nextInt(63));
      case 1 -> 10_000 * random.nextLong(large / 10_000);
      default -> random.nextLong(large);
    };
  }

  private void compareAnswers() {
    for (CashAccount account : naive.accounts()) {
      assertThat(engine.account(account.number())).contains(account);
    }
    for (Symbol symbol : naive.symbols) {
      int levels = 1 + random.nextInt(20);
      assertThat(engine.depth(symbol.name(), levels)).contains(naive.depth(symbol, levels));
    }
    for (NaiveExchange.Order order : naive.open) {
      assertThat(engine.order(order.placed.number())).contains(order.snapshot());
    }
  }

  private void compareChanges() {
    EngineChanges changes = engine.takeChanges();
    int before = rows.trades.size();
    rows.apply(changes);
    assertThat(changes.trades()).isEqualTo(naive.trades.subList(before, naive.trades.size()));
    for (LimitOrder order : changes.orders()) {
      assertThat(order).isEqualTo(naive.order(order.number()));
      assertThat(changes.depths()).contains(order.symbol());
      assertThat(engine.order(order.number()).isPresent()).isEqualTo(order.openE4() > 0);
    }
    assertThat(engine.tradesOfLastOrder(1)).isEmpty();
    assertThat(engine.openOrders()).isEqualTo(naive.open.size());
    assertThat(changes.accounts()).doesNotHaveDuplicates();
    assertThat(changes.positions()).doesNotHaveDuplicates();
    assertThat(changes.orders()).doesNotHaveDuplicates();
    assertThat(changes.depths()).doesNotHaveDuplicates();
    assertThat(rows.positions.values()).containsExactlyElementsOf(naive.positions());
    assertThat(rows.accounts.values()).containsExactlyElementsOf(naive.accounts());
    assertThat(rows.symbols.values()).containsExactlyElementsOf(naive.symbols);
  }

  private void compareRows() {
    assertThat(rows.orders).hasSize(naive.orders());
    rows.orders.forEach((number, row) -> assertThat(row).isEqualTo(naive.order(number)));
    assertThat(rows.trades).isEqualTo(naive.trades);
  }

  /// Cash and shares are conserved, reservations equal the open orders, trades have two sides, and
  /// no book is crossed.
  private void checkInvariants() {
    List<LimitOrder> open = rows.orders.values().stream().filter(it -> it.openE4() > 0).toList();
    assertThat(sum(rows.accounts.values().stream(), it -> big(it.cashE8(), it.reservedE8())))
        .isEqualTo(sum(rows.accounts.values().stream(), it -> big(it.depositedE8())));
    for (CashAccount account : rows.accounts.values()) {
      assertThat(account.cashE8()).isNotNegative();
      assertThat(big(account.reservedE8()))
          .isEqualTo(
              sum(
                  open.stream()
                      .filter(it -> it.account() == account.number() && it.side() == Side.BUY),
                  it -> big(it.openE4()).multiply(big(it.limitE4()))));
    }
    for (Position position : rows.positions.values()) {
      assertThat(position.sharesE4()).isNotNegative();
      assertThat(big(position.reservedE4()))
          .isEqualTo(
              sum(
                  open.stream()
                      .filter(it ->
                          it.account() == position.account()
                              && it.symbol().equals(position.symbol())
                              && it.side() == Side.SELL),
                  it -> big(it.openE4())));
    }
    Map<Long, List<MatchedTrade>> byOrder =
        rows.trades.stream()
            .flatMap(it -> Stream.of(Map.entry(it.buyOrder(), it), Map.entry(it.sellOrder(), it)))
            .collect(
                Collectors.groupingBy(
                    Map.Entry::getKey,
                    Collectors.mapping(Map.Entry::getValue, Collectors.toList())));
    for (LimitOrder order : rows.orders.values()) {
      List<MatchedTrade> trades = byOrder.getOrDefault(order.number(), new ArrayList<>());
      assertThat(sum(trades.stream(), it -> big(it.sharesE4()))).isEqualTo(big(order.executedE4()));
      assertThat(trades)
          .allMatch(it ->
              order.side() == Side.BUY
                  ? it.priceE4() <= order.limitE4()
                  : it.priceE4() >= order.limitE4());
    }
    for (Symbol symbol : rows.symbols.values()) {
      MarketDepth depth = engine.depth(symbol.name(), 1).orElseThrow();
      if (!depth.bids().isEmpty() && !depth.asks().isEmpty()) {
        assertThat(depth.bids().getFirst().priceE4()).isLessThan(depth.asks().getFirst().priceE4());
      }
    }
  }

  private static <T> BigInteger sum(Stream<T> records, Function<T, BigInteger> value) {
    return records.map(value).reduce(BigInteger.ZERO, BigInteger::add);
  }

  private static BigInteger big(long... values) {
    return LongStream.of(values)
        .mapToObj(BigInteger::valueOf)
        .reduce(BigInteger.ZERO, BigInteger::add);
  }
}
