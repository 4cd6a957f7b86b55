package toystore.exchange.engine;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class FixedPointTest {
  @Test
  void sharesAndPricesHaveFourDecimalsAndCashHasEight() {
    assertThat(FixedPoint.parse("922337203685477.5807", FixedPoint.SHARES))
        .hasValue(Long.MAX_VALUE);
    assertThat(FixedPoint.parse("0.00001", FixedPoint.PRICE)).isEmpty();
    assertThat(FixedPoint.parse("92233720368.54775807", FixedPoint.CASH)).hasValue(Long.MAX_VALUE);
    assertThat(FixedPoint.parse("0.000000001", FixedPoint.CASH)).isEmpty();
    assertThat(FixedPoint.format(1, FixedPoint.SHARES)).isEqualTo("0.0001");
    assertThat(FixedPoint.format(1, FixedPoint.CASH)).isEqualTo("0.00000001");
  }
}
