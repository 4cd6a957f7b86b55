package toystore.exchange.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class FixedPointTest {

  @ParameterizedTest
  @CsvSource({
    "125, 1250000",
    "0.5, 5000",
    ".5, 5000",
    "5., 50000",
    "-400, -4000000",
    "0, 0",
    "-0, 0",
    "007, 70000",
    "0.0001, 1",
    "1.00010000, 10001",
    "922337203685477.5807, 9223372036854775807",
    "-922337203685477.5808, -9223372036854775808"
  })
  void parsesPlainNumbersExactly(String text, long expectedE4) {
    assertThat(FixedPoint.parse(text, FixedPoint.SHARES)).hasValue(expectedE4);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        ".",
        "-",
        "+1",
        "1e3",
        "0x10",
        "1,5",
        " 1",
        "1 ",
        "--1",
        "1.2.3",
        "NaN",
        "١",
        "0.00001",
        "1.00001",
        "922337203685477.5808",
        "-922337203685477.5809",
        "99999999999999999999"
      })
  void refusesOtherTextAndFinerOrLargerNumbers(String text) {
    assertThat(FixedPoint.parse(text, FixedPoint.PRICE)).isEmpty();
  }

  @Test
  void refusesTextOfMoreThan64Characters() {
    assertThat(FixedPoint.parse("0".repeat(63) + "1", 4)).hasValue(10_000);
    assertThat(FixedPoint.parse("0".repeat(64) + "1", 4)).isEmpty();
  }

  @Test
  void cashHasEightDecimals() {
    assertThat(FixedPoint.parse("0.00000001", FixedPoint.CASH)).hasValue(1);
    assertThat(FixedPoint.parse("0.000000001", FixedPoint.CASH)).isEqualTo(OptionalLong.empty());
    assertThat(FixedPoint.parse("92233720368.54775807", FixedPoint.CASH)).hasValue(Long.MAX_VALUE);
    assertThat(FixedPoint.parse("92233720368.54775808", FixedPoint.CASH)).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({
    "1250000, 125",
    "5000, 0.5",
    "0, 0",
    "1, 0.0001",
    "-12345, -1.2345",
    "100000000, 10000",
    "9223372036854775807, 922337203685477.5807"
  })
  void formatsWithoutTrailingZerosOrExponent(long valueE4, String expected) {
    assertThat(FixedPoint.format(valueE4, FixedPoint.PRICE)).isEqualTo(expected);
  }
}
