package toystore.exchange.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static toystore.exchange.engine.EngineRefusal.TOO_MANY_ACCOUNTS;
import static toystore.exchange.engine.EngineRefusal.TOO_MANY_ACCOUNTS_OF_OWNER;
import static toystore.exchange.engine.EngineRefusal.TOO_MANY_ORDERS;
import static toystore.exchange.engine.EngineRefusal.TOO_MANY_ORDERS_OF_ACCOUNT;
import static toystore.exchange.engine.EngineRefusal.TOO_MANY_POSITIONS;
import static toystore.exchange.engine.EngineRefusal.TOO_MANY_SYMBOLS;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import toystore.exchange.engine.EngineOutcome.Accepted;
import toystore.exchange.engine.EngineOutcome.Refused;

/// An engine at its bounds. Accounts 1 and 2 have shares of two symbols.
class EngineBoundsTest {
  private static final EngineBounds BOUNDS = new EngineBounds(3, 5, 2, 4, 6, 3);

  private final MatchingEngine engine = new MatchingEngine(BOUNDS);

  @BeforeEach
  void open() {
    for (int account = 1; account <= 2; account++) {
      engine.createAccount(null, "buyer:1", 1_000_000);
      engine.addShares(account, "TUX", 1_000);
      engine.addShares(account, "ELK", 1_000);
    }
  }

  private Object place(long account, Side side, long shares, long limit) {
    return place(account, "TUX", side, shares, limit);
  }

  private Object place(long account, String symbol, Side side, long shares, long limit) {
    return switch (engine.placeOrder(account, symbol, side, shares, limit, 0)) {
      case Accepted(var order) -> order.number();
      case Refused(var reason) -> reason;
    };
  }

  @Test
  void openOrdersOfAnAccountAreBounded() {
    for (long order = 1; order <= 3; order++) {
      assertThat(place(1, Side.SELL, 10, 50)).isEqualTo(order);
    }
    assertThat(place(1, Side.SELL, 10, 50)).isEqualTo(TOO_MANY_ORDERS_OF_ACCOUNT);
    assertThat(place(1, "ELK", Side.BUY, 10, 5)).isEqualTo(TOO_MANY_ORDERS_OF_ACCOUNT);
    assertThat(engine.account(1).orElseThrow().reservedE8()).as("nothing is reserved").isZero();
    assertThat(place(2, Side.SELL, 10, 50)).isEqualTo(4L);

    engine.cancelOrder(2, 1);
    assertThat(place(1, Side.SELL, 10, 50)).as("after a cancel").isEqualTo(5L);
    assertThat(place(1, Side.SELL, 10, 50)).isEqualTo(TOO_MANY_ORDERS_OF_ACCOUNT);
    assertThat(place(2, Side.BUY, 15, 50)).as("executes order 1 and half of 3").isEqualTo(6L);
    assertThat(place(1, Side.SELL, 10, 50)).as("after an execution").isEqualTo(7L);
    assertThat(place(1, Side.SELL, 10, 50)).isEqualTo(TOO_MANY_ORDERS_OF_ACCOUNT);
    assertThat(TOO_MANY_ORDERS_OF_ACCOUNT.message(BOUNDS))
        .isEqualTo("the account has 3 open orders, which is the maximum; cancel one first");
  }

  @Test
  void allOpenOrdersAreBounded() {
    for (long order = 1; order <= 5; order++) {
      assertThat(place(1 + order % 2, Side.SELL, 10, 50)).isEqualTo(order);
    }
    assertThat(engine.openOrders()).isEqualTo(5);
    assertThat(place(1, Side.SELL, 10, 50)).isEqualTo(TOO_MANY_ORDERS);
    assertThat(place(2, Side.BUY, 10, 49)).isEqualTo(TOO_MANY_ORDERS_OF_ACCOUNT);
    assertThat(engine.cancelOrder(1, 1)).isInstanceOf(Accepted.class);
    assertThat(place(1, Side.SELL, 10, 50)).isEqualTo(6L);
    assertThat(TOO_MANY_ORDERS.message(BOUNDS))
        .isEqualTo(
            "the exchange has 5 open orders, which is the maximum; retry after some were executed or canceled");
  }

  @Test
  void orderThatIsFilledAtOnceNeedsNoPlace() {
    for (int order = 1; order <= 5; order++) {
      place(1 + order % 2, Side.SELL, 10, 50);
    }
    assertThat(place(1, Side.BUY, 51, 50)).as("1 stays open").isEqualTo(TOO_MANY_ORDERS);
    assertThat(place(1, Side.BUY, 50, 49)).as("all stays open").isEqualTo(TOO_MANY_ORDERS);
    assertThat(place(1, Side.BUY, 50, 50)).isEqualTo(6L);
    assertThat(engine.openOrders()).isZero();
  }

  @Test
  void loadedOrdersBeyondTheBoundsStayAndCanBeCanceled() {
    var rows = new EngineRows();
    for (int order = 1; order <= 5; order++) {
      place(1 + order % 2, Side.SELL, 10, 50);
    }
    rows.apply(engine.takeChanges());
    MatchingEngine loaded = rows.load(new EngineBounds(2, 3, 1, 1, 1, 1));
    assertThat(loaded.openOrders()).isEqualTo(5);
    for (long order = 1; order <= 5; order++) {
      boolean fits = order >= 4; // 2 are left, one of each account
      assertThat(loaded.placeOrder(1, "TUX", Side.SELL, 1, 60, 0) instanceof Accepted)
          .as("before cancel %d", order)
          .isEqualTo(fits);
      if (fits) {
        break;
      }
      assertThat(loaded.cancelOrder(order, 1)).isInstanceOf(Accepted.class);
    }
    assertThat(loaded.openOrders()).isEqualTo(3);
  }

  @Test
  void accountsAreBoundedInAllAndOfOneUser() {
    assertThat(engine.createAccount(null, "buyer:1", 0))
        .isEqualTo(new Refused<>(TOO_MANY_ACCOUNTS_OF_OWNER));
    assertThat(engine.createAccount("7", null, 0)).isInstanceOf(Accepted.class);
    assertThat(engine.createAccount(null, "buyer:2", 0)).isInstanceOf(Accepted.class);
    assertThat(engine.createAccount("8", null, 0)).isEqualTo(new Refused<>(TOO_MANY_ACCOUNTS));
  }

  @Test
  void symbolsAndPositionsAreBounded() {
    engine.createAccount("7", null, 1_000_000);
    assertThat(engine.addShares(1, "OWL", 0)).isInstanceOf(Accepted.class);
    assertThat(engine.addShares(1, "FOX", 0)).isEqualTo(new Refused<>(TOO_MANY_SYMBOLS));
    assertThat(place(3, Side.BUY, 1, 1)).as("may bring the sixth position").isEqualTo(1L);
    assertThat(engine.addShares(2, "OWL", 1)).isEqualTo(new Refused<>(TOO_MANY_POSITIONS));
    assertThat(place(2, "OWL", Side.BUY, 1, 1)).isEqualTo(TOO_MANY_POSITIONS);
    assertThat(engine.addShares(1, "TUX", 1)).as("a known one").isInstanceOf(Accepted.class);

    engine.cancelOrder(1, 1);
    assertThat(place(3, Side.BUY, 1_000_000, 1_000_000))
        .as("a refused order keeps no position")
        .isEqualTo(EngineRefusal.INSUFFICIENT_CASH);
    assertThat(engine.addShares(2, "OWL", 1)).isInstanceOf(Accepted.class);
  }
}
