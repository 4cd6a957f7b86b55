package toystore.torture;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Supplier;
import java.util.stream.LongStream;
import toystore.clients.ClientThreads;
import toystore.clients.GrpcTestClient;
import toystore.exchange.v1.Execution;
import toystore.exchange.v1.Order;
import toystore.exchange.v1.PlaceOrderRequest;
import toystore.exchange.v1.Side;

/// Clients that trade until they are stopped, each with a few accounts one after the other, and the
/// comparison of the exchange with what it answered.
final class ExchangeTraders extends ClientThreads implements TrialClients {
  private static final int ORDERS = 60; // of an account, at most
  private static final int MAX_SHARES_E4 = 20_0000;
  private static final int MIN_LIMIT_E4 = 95_0000;
  private static final int LIMITS = 100;
  private static final int TICK_E4 = 1_000;

  private final Supplier<GrpcTestClient> administrator;
  private final Queue<TradedAccount> accounts = new ConcurrentLinkedQueue<>();

  /// Starts the clients.
  ///
  /// @param administrator makes clients of the exchange with the administrator's token
  ExchangeTraders(Supplier<GrpcTestClient> administrator, int count, Random random) {
    this.administrator = administrator;
    long[] seeds = random.longs(count).toArray();
    start(count, it -> trade(new Random(seeds[it])));
  }

  private void trade(Random random) {
    try (var trader = new ExchangeTrader(administrator.get())) {
      while (areRunning()) {
        TradedAccount account = trader.open();
        accounts.add(account);
        for (int i = random.nextInt(ORDERS); areRunning() && i >= 0; i--) {
          account.record(trader.place(order(random).setAccountId(account.id)));
          account.record(trader.order(account.id, account.any(random)));
          if (random.nextBoolean()) {
            account.record(trader.cancel(account.id, account.any(random)));
          }
          countAnswer();
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

  /// Every order is there once, with the executions and the cancel that were acknowledged; each
  /// trade has a buyer and a seller; cash and shares of every account are those of its orders; the
  /// audit finds nothing.
  @Override
  public String check() throws InterruptedException {
    stop();
    try (var exchange = new ExchangeTrader(administrator.get())) {
      assertThat(exchange.client().faults()).isEmpty();
      List<Order> all = new ArrayList<>();
      for (TradedAccount account : accounts) {
        List<Order> orders = exchange.orders(account.id);
        account.check(exchange.account(account.id), orders);
        all.addAll(orders);
      }
      assertThat(all.stream().map(Order::getOrderId).sorted())
          .as("order numbers have no gap")
          .containsExactlyElementsOf(LongStream.rangeClosed(1, all.size()).boxed().toList());
      return all.size() + " orders acknowledged, " + trades(all) + " trades";
    }
  }

  /// Checks that each trade is an execution of one buy and one sell order, and returns how many
  /// there are.
  private static long trades(List<Order> orders) {
    Map<Execution, Integer> sides = new HashMap<>();
    for (Order order : orders) {
      int side = order.getSide() == Side.SIDE_BUY ? 1 : -1;
      order.getExecutionsList().forEach(it -> sides.merge(it, side, Integer::sum));
    }
    assertThat(sides)
        .as("buyer and seller of each trade")
        .allSatisfy((_, side) -> assertThat(side).isZero());
    assertThat(sides.keySet().stream().map(Execution::getTradeId)).doesNotHaveDuplicates();
    return sides.size();
  }
}
