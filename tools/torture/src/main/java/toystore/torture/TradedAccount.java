package toystore.torture;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import toystore.exchange.v1.Account;
import toystore.exchange.v1.Execution;
import toystore.exchange.v1.Order;
import toystore.exchange.v1.Position;
import toystore.exchange.v1.Side;

/// An account of the exchange as its client was told about it. One thread.
final class TradedAccount {
  static final List<String> SYMBOLS = List.of("TUX", "ELK");
  static final long CASH_E8 = 10_000_000_00000000L;
  static final long SHARES_E4 = 1_000_000_0000L;

  private static final int LATEST = 20;

  final long id;
  private final Map<Long, Order> seen = new TreeMap<>();

  TradedAccount(long id) {
    this.id = id;
  }

  /// Notes how an order was shown, and checks it: executions stay, and a closed order stays as it
  /// is.
  void record(Order order) {
    Order before = seen.put(order.getOrderId(), order);
    if (before != null && before.getOpenSharesE4() == 0) {
      assertThat(order)
          .as("closed order %d of account %d", order.getOrderId(), id)
          .isEqualTo(before);
    } else if (before != null) {
      int known = Math.min(before.getExecutionsCount(), order.getExecutionsCount());
      assertThat(order.getExecutionsList().subList(0, known))
          .as("executions of order %d of account %d", order.getOrderId(), id)
          .isEqualTo(before.getExecutionsList());
      assertThat(terms(order))
          .as("what order %d of account %d asks for", order.getOrderId(), id)
          .isEqualTo(terms(before));
    }
  }

  private static Order terms(Order order) {
    return order.toBuilder()
        .clearOpenSharesE4()
        .clearCanceledSharesE4()
        .clearCanceledAt()
        .clearExecutions()
        .build();
  }

  /// One of the latest orders.
  long any(Random random) {
    List<Long> numbers = List.copyOf(seen.keySet());
    return numbers.get(numbers.size() - 1 - random.nextInt(Math.min(LATEST, seen.size())));
  }

  /// Compares the exchange's account and all of its orders with what was acknowledged.
  void check(Account account, List<Order> orders) {
    assertThat(orders.stream().map(Order::getOrderId))
        .as("orders of account %d, which were placed once each", id)
        .containsExactlyInAnyOrderElementsOf(seen.keySet());
    for (Order order : orders) {
      record(order);
      assertThat(order.getOpenSharesE4() + order.getCanceledSharesE4() + executed(order))
          .as("shares of order %d", order.getOrderId())
          .isEqualTo(order.getSharesE4());
    }
    assertThat(account.getCashE8() + account.getReservedCashE8())
        .as("cash of account %d", id)
        .isEqualTo(CASH_E8 - orders.stream().mapToLong(TradedAccount::paidE8).sum());
    for (Position position : account.getPositionsList()) {
      long bought =
          orders.stream()
              .filter(it -> it.getSymbol().equals(position.getSymbol()))
              .mapToLong(it -> sign(it) * executed(it))
              .sum();
      assertThat(position.getSharesE4() + position.getReservedSharesE4())
          .as("%s of account %d", position.getSymbol(), id)
          .isEqualTo(SHARES_E4 + bought);
    }
  }

  private static long sign(Order order) {
    return order.getSide() == Side.SIDE_BUY ? 1 : -1;
  }

  private static long executed(Order order) {
    return order.getExecutionsList().stream().mapToLong(Execution::getSharesE4).sum();
  }

  private static long paidE8(Order order) {
    return sign(order)
        * order.getExecutionsList().stream()
            .mapToLong(it -> it.getSharesE4() * it.getPriceE4())
            .sum();
  }
}
