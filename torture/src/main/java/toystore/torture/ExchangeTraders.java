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
import java.util.stream.LongStream;
import toystore.exchange.v1.Account;
import toystore.exchange.v1.Execution;
import toystore.exchange.v1.Order;
import toystore.exchange.v1.Side;
import toystore.testkit.StoreProcesses;

/// Clients that trade until they are stopped, each with a few accounts one after the other, and the
/// comparison of the exchange with what it answered.
final class ExchangeTraders implements TrialClients {
  private static final int REQUESTS = 60; // of an account, at most
  private static final int ORDERS = 3; // of a request, at most
  private static final int MAX_SHARES_E4 = 20_0000;
  private static final int MIN_LIMIT_E4 = 95_0000;
  private static final int LIMITS = 100;
  private static final int TICK_E4 = 1_000;

  private final int xmlPort;
  private final int port;
  private final String token;
  private final List<ExchangeTrader> traders = new ArrayList<>();
  private final Queue<TradedAccount> accounts = new ConcurrentLinkedQueue<>();
  private final List<Future<?>> running = new ArrayList<>();
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private final AtomicLong answers = new AtomicLong();
  private volatile boolean trading = true;

  ExchangeTraders(StoreProcesses store, Path adminToken) throws IOException {
    xmlPort = store.port("exchange-xml");
    port = store.port("exchange");
    token = Files.readString(adminToken).strip();
  }

  ExchangeTraders start(int xml, int rpc, Random random) {
    for (int i = 0; i < xml; i++) {
      traders.add(new XmlTrader(xmlPort));
    }
    for (int i = 0; i < rpc; i++) {
      traders.add(new RpcTrader(port, token));
    }
    for (ExchangeTrader trader : traders) {
      long seed = random.nextLong();
      running.add(
          threads.submit(() -> {
            trade(trader, new Random(seed));
            return null;
          }));
    }
    return this;
  }

  private void trade(ExchangeTrader trader, Random random) throws Exception {
    while (trading) {
      TradedAccount account = trader.open();
      accounts.add(account);
      for (int i = random.nextInt(REQUESTS); trading && i >= 0; i--) {
        List<Order> placed = new ArrayList<>();
        for (int j = random.nextInt(ORDERS); j >= 0; j--) {
          placed.add(order(random));
        }
        List<Long> canceled = random.nextBoolean() ? account.any(random) : List.of();
        trader.trade(account, placed, account.any(random), canceled);
        answers.incrementAndGet();
      }
    }
  }

  private static Order order(Random random) {
    return Order.newBuilder()
        .setSymbol(TradedAccount.SYMBOLS.get(random.nextInt(TradedAccount.SYMBOLS.size())))
        .setSide(random.nextBoolean() ? Side.SIDE_BUY : Side.SIDE_SELL)
        .setSharesE4(1 + random.nextInt(MAX_SHARES_E4))
        .setLimitE4(MIN_LIMIT_E4 + random.nextInt(LIMITS) * TICK_E4)
        .build();
  }

  /// A request whose connection broke counts as well.
  @Override
  public long answers() {
    for (Future<?> trader : running) {
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
    for (Future<?> trader : running) {
      trader.get();
    }
    try (var exchange = new RpcTrader(port, token)) {
      assertThat(exchange.faults()).isEmpty();
      Map<Long, List<Order>> byAccount = new HashMap<>();
      Map<Long, Account> owners = new HashMap<>(); // of each order
      for (Account account : exchange.accounts()) {
        List<Order> orders = exchange.orders(account.getAccountId());
        byAccount.put(account.getAccountId(), orders);
        orders.forEach(it -> owners.put(it.getOrderId(), account));
      }
      List<Order> all = byAccount.values().stream().flatMap(List::stream).toList();
      assertThat(all.stream().map(Order::getOrderId).sorted().toList())
          .as("order numbers have no gap")
          .isEqualTo(LongStream.rangeClosed(1, all.size()).boxed().toList());
      int trades = trades(all);
      int acknowledged = 0;
      int unanswered = 0;
      for (TradedAccount account : accounts) {
        List<Long> numbers = account.numbers();
        if (!numbers.isEmpty()) {
          assertThat(owners)
              .as("orders of account %s", account.id)
              .containsKeys(numbers.toArray(Long[]::new));
          Account found = requireNonNull(owners.get(numbers.getFirst()));
          acknowledged += numbers.size();
          unanswered +=
              account.check(found, byAccount.getOrDefault(found.getAccountId(), List.of()));
        }
      }
      return String.format(
          Locale.ROOT,
          "%d orders acknowledged, %d carried out without an answer, %d trades",
          acknowledged,
          unanswered,
          trades);
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
    traders.forEach(ExchangeTrader::close);
  }
}
