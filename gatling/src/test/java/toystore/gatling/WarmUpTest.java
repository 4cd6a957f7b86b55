package toystore.gatling;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class WarmUpTest {
  private final WarmUp warmUp = new WarmUp();

  @Test
  void endsWhenQueriesAndBuysDifferByLessThanTenPercent() {
    pass(5_000, 9_000);
    pass(1_000, 2_000);
    pass(950, 1_790); // the buys differ by 10.5 %
    assertThat(warmUp.isGoingOn()).isTrue();
    pass(1_055, 1_620); // the queries differ by 11 %
    assertThat(warmUp.isGoingOn()).isTrue();
    pass(960, 1_770); // by 9 %, both
    assertThat(warmUp.isGoingOn()).isFalse();
    assertThat(warmUp).hasToString("warm after 5 passes of 500 queries and 500 buys");
  }

  @Test
  void endsAfterTenPassesIfTheyNeverAgree() {
    for (int i = 1; i <= WarmUp.MAX_PASSES; i++) {
      assertThat(warmUp.isGoingOn()).isTrue();
      pass(1_000, i % 2 == 0 ? 2_000 : 3_000);
    }
    assertThat(warmUp.isGoingOn()).isFalse();
    assertThat(warmUp).hasToString("not warm after 10 passes of 500 queries and 500 buys");
  }

  private void pass(long queryMicros, long buyMicros) {
    for (int i = 0; i < WarmUp.CALLS; i++) {
      warmUp.recordQuery(queryMicros);
      warmUp.recordBuy(buyMicros);
    }
  }
}
