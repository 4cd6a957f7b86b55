package toystore.torture;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Queue;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import toystore.exchange.v1.Account;
import toystore.exchange.v1.Execution;
import toystore.exchange.v1.Order;
import toystore.exchange.v1.PlaceOrderRequest;
import toystore.exchange.v1.Side;

/// Clients that trade until they are stopped, each with a few accounts one after the other, and the
/// comparison of the exchange with what it answered.
final class ExchangeTraders implements TrialClients {
  private static final int ORDERS = 60; // of an account, at most
  private static final int MAX_SHARES_E4 = 20_0000;
  private static final int MIN_LIMIT_E4 = 95_0000;
  private static final int LIMITS = 100;
  private static final int TICK_E4 = 1_000;

  private final int port;
  private final String token;
  private final Queue<TradedAccount> accounts = new ConcurrentLinkedQueue<>();
  private final List<Future<?>> traders = new ArrayList<>();
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private final AtomicLong answers = new AtomicLong();
  private volatile boolean trading = true;

  /// @param port the exchange's gRPC port
  ExchangeTraders(int port, Path adminToken) throws IOException {
    this.port = port;
    this.token = Files.readString(adminToken).strip();
  }

  ExchangeTraders start(int count, Random random) {
    for (int i = 0; i < count; i++) {
      long seed = random.nextLong();
      traders.add(threads.submit(() -> trade(new Random(seed))));
    }
    return this;
  }

  private void trade(Random random) {
    try (var trader = new ExchangeTrader(port, token)) {
      while (trading) {
        TradedAccount account = trader.open();
        accounts.add(account);
        for (int i = random.nextInt(ORDERS); trading && i >= 0; i--) {
          account.seen(trader.place(order(random).setAccountId(account.id)));
          account.any(random).forEach(it -> account.seen(trader.order(account.id, it)));
          if (random.nextBoolean()) {
            account.any(random).forEach(it -> account.seen(trader.cancel(account.id, it)));
          }
          answers.incrementAndGet();
        }
      }
    }
  }

  private static PlaceOrderRequest.Builder order(Random random) {
    return PlaceOrderRequest.newBuilder()
        .setSymbol(TradedAccount.SYMBOLS.get(random.nextInt(TradedAccount.SYMBOLS.size())))
        .setSide(random.nextBoolean() ? Side.SIDE_BUY : Side.SIDE_SELL)
        .setSharesE4(1 + random.nextInt(MAX_SHARES_E4))
        .setLimitE4(MIN_LIMIT_E4 + random.nextInt(LIMITS) * TICK_E4);
  }

  @Override
  public long answers() {
    for (Future<?> trader : traders) {
      if (trader.state() == Future.State.FAILED) {
        throw new AssertionError(trader.exceptionNow().getMessage(), trader.exceptionNow());
      }
    }
    return answers.get();
  }

  /// Every order is there once, with the executions and the cancel that were acknowledged; each
  /// trade has a buyer and a seller; cash and shares of every account are those of its orders; the
  /// audit finds nothing.
  @Override
  public String check() throws Exception {
    trading = false;
    for (Future<?> trader : traders) {
      trader.get();
    }
    try (var exchange = new ExchangeTrader(port, token)) {
      assertThat(exchange.faults()).isEmpty();
      Map<Long, Account> found =
          exchange.accounts().stream()
              .collect(Collectors.toMap(Account::getAccountId, Function.identity()));
      List<Order> all = new ArrayList<>();
      for (TradedAccount account : accounts) {
        List<Order> orders = exchange.orders(account.id);
        account.check(requireNonNull(found.get(account.id), "lost account"), orders);
        all.addAll(orders);
      }
      assertThat(all.stream().map(Order::getOrderId).sorted().toList())
          .as("order numbers have no gap")
          .isEqualTo(LongStream.rangeClosed(1, all.size()).boxed().toList());
      return String.format(
          Locale.ROOT, "%d orders acknowledged, %d trades", all.size(), trades(all));
    }
  }

  /// Checks that each trade is an execution of one buy and one sell order, and returns how many
  /// there are.
  private static int trades(List<Order> orders) {
    Map<Execution, Integer> sides = new HashMap<>();
    for (Order order : orders) {
      int side = order.getSide() == Side.SIDE_BUY ? 1 : -1;
      order.getExecutionsList().forEach(it -> sides.merge(it, side, Integer::sum));
    }
    Map<Long, Execution> trades = new TreeMap<>();
    sides.forEach((execution, side) -> {
      assertThat(side).as("buyer and seller of %s", execution).isZero();
      assertThat(trades.put(execution.getTradeId(), execution)).isNull();
    });
    return trades.size();
  }

  @Override
  public void close() {
    trading = false;
    threads.shutdownNow();
  }
}
