package toystore.torture;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;
import toystore.exchange.v1.Account;
import toystore.exchange.v1.Execution;
import toystore.exchange.v1.Order;
import toystore.exchange.v1.Side;

/// The comparison of an account with what its client was told finds each kind of loss.
class TradedAccountTest {
  private static final Account UNCHANGED =
      Account.newBuilder().setCashE8(TradedAccount.CASH_E8).build();

  private final TradedAccount account = new TradedAccount(7);

  private static Order.Builder order(long number) {
    return Order.newBuilder()
        .setOrderId(number)
        .setSymbol("TUX")
        .setSide(Side.SIDE_BUY)
        .setSharesE4(3)
        .setLimitE4(2)
        .setOpenSharesE4(3);
  }

  private static Order.Builder executed(long number, long shares) {
    return order(number)
        .setOpenSharesE4(3 - shares)
        .addExecutions(Execution.newBuilder().setSharesE4(shares).setPriceE4(2));
  }

  @Test
  void ordersAsAcknowledgedPass() {
    account.record(order(1).build());
    account.check(UNCHANGED, List.of(order(1).build()));
  }

  @Test
  void lostOrderFails() {
    account.record(order(1).build());
    assertThatThrownBy(() -> account.check(UNCHANGED, List.of())).hasMessageContaining("orders of");
  }

  @Test
  void orderThatWasPlacedOnceAndExistsTwiceFails() {
    account.record(order(1).build());
    assertThatThrownBy(() -> account.check(UNCHANGED, List.of(order(1).build(), order(2).build())))
        .hasMessageContaining("placed once");
  }

  @Test
  void lostExecutionAndLostCancelFail() {
    account.record(executed(1, 2).build());
    assertThatThrownBy(() -> account.record(order(1).build())).hasMessageContaining("executions");
    account.record(order(2).setOpenSharesE4(0).setCanceledSharesE4(3).build());
    assertThatThrownBy(() -> account.record(order(2).build())).hasMessageContaining("closed order");
  }

  @Test
  void changedLimitFails() {
    account.record(order(1).build());
    assertThatThrownBy(() -> account.record(order(1).setLimitE4(3).build()))
        .hasMessageContaining("asks for");
  }

  @Test
  void wrongCashFails() {
    account.record(order(1).build());
    assertThatThrownBy(() -> account.check(UNCHANGED, List.of(executed(1, 2).build())))
        .hasMessageContaining("cash");
  }
}
