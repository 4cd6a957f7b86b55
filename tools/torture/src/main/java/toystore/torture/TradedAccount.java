package toystore.torture;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.Timestamp;
import java.util.ArrayList;
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

  final String id;
  private final Map<Long, Order> placed = new TreeMap<>();
  private final Map<Long, Order> seen = new TreeMap<>();
  private final List<Order> unanswered = new ArrayList<>();

  /// @param id the id over XML, or the account's number
  TradedAccount(String id) {
    this.id = id;
  }

  /// Notes that the exchange has opened an order.
  void placed(Order order) {
    assertThat(placed.put(order.getOrderId(), terms(order)))
        .as("earlier order with the number %d", order.getOrderId())
        .isNull();
  }

  /// Notes that an order was sent without a key and not answered: it may exist once.
  void unanswered(Order order) {
    unanswered.add(terms(order));
  }

  /// Notes how an order was shown, and checks it: executions stay, and a closed order stays as it
  /// is.
  void seen(Order order) {
    Order now = state(order);
    Order before = seen.put(order.getOrderId(), now);
    if (before != null && before.getOpenSharesE4() == 0) {
      assertThat(now).as("closed order %d of account %s", order.getOrderId(), id).isEqualTo(before);
    } else if (before != null) {
      int known = Math.min(before.getExecutionsCount(), now.getExecutionsCount());
      assertThat(now.getExecutionsList().subList(0, known))
          .as("executions of order %d of account %s", order.getOrderId(), id)
          .isEqualTo(before.getExecutionsList());
    }
  }

  /// One of the latest orders, or none.
  List<Long> any(Random random) {
    List<Long> numbers = List.copyOf(placed.keySet());
    return numbers.isEmpty()
        ? List.of()
        : List.of(
            numbers.get(numbers.size() - 1 - random.nextInt(Math.min(LATEST, placed.size()))));
  }

  List<Long> numbers() {
    return List.copyOf(placed.keySet());
  }

  /// Compares the exchange's account and all of its orders with what was acknowledged.
  ///
  /// @return how many orders exist that were not acknowledged
  int check(Account account, List<Order> orders) {
    List<Order> doubtful = new ArrayList<>(unanswered);
    List<Long> lost = new ArrayList<>(placed.keySet());
    int doubted = 0;
    for (Order order : orders) {
      if (lost.remove(order.getOrderId())) {
        assertThat(terms(order)).isEqualTo(placed.get(order.getOrderId()));
        seen(order);
      } else {
        assertThat(doubtful.remove(terms(order)))
            .as("order %d of account %s was sent once: %s", order.getOrderId(), id, order)
            .isTrue();
        doubted++;
      }
      assertThat(order.getOpenSharesE4() + order.getCanceledSharesE4() + executed(order))
          .as("shares of order %d", order.getOrderId())
          .isEqualTo(order.getSharesE4());
    }
    assertThat(lost).as("lost orders of account %s", id).isEmpty();
    assertThat(account.getCashE8() + account.getReservedCashE8())
        .as("cash of account %s", id)
        .isEqualTo(CASH_E8 - orders.stream().mapToLong(TradedAccount::paidE8).sum());
    for (Position position : account.getPositionsList()) {
      long bought =
          orders.stream()
              .filter(it -> it.getSymbol().equals(position.getSymbol()))
              .mapToLong(it -> sign(it) * executed(it))
              .sum();
      assertThat(position.getSharesE4() + position.getReservedSharesE4())
          .as("%s of account %s", position.getSymbol(), id)
          .isEqualTo(SHARES_E4 + bought);
    }
    return doubted;
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

  /// What was ordered.
  private static Order terms(Order order) {
    return Order.newBuilder()
        .setSymbol(order.getSymbol())
        .setSide(order.getSide())
        .setSharesE4(order.getSharesE4())
        .setLimitE4(order.getLimitE4())
        .build();
  }

  /// What became of it, as XML shows it: times in seconds, no numbers of trades.
  private static Order state(Order order) {
    var state =
        Order.newBuilder()
            .setOpenSharesE4(order.getOpenSharesE4())
            .setCanceledSharesE4(order.getCanceledSharesE4());
    if (order.hasCanceledAt()) {
      state.setCanceledAt(seconds(order.getCanceledAt()));
    }
    order
        .getExecutionsList()
        .forEach(it ->
            state.addExecutions(
                it.toBuilder().clearTradeId().setExecutedAt(seconds(it.getExecutedAt()))));
    return state.build();
  }

  private static Timestamp seconds(Timestamp time) {
    return time.toBuilder().clearNanos().build();
  }
}
