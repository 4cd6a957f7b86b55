package toystore.platform.text;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class PlainDecimalTest {
  @ParameterizedTest
  @CsvSource({
    "125, 1250000",
    "0.5, 5000",
    "-400, -4000000",
    "0, 0",
    "-0, 0",
    "0.0001, 1",
    "1.50000, 15000",
    "1.00010000, 10001",
    "922337203685477.5807, 9223372036854775807",
    "-922337203685477.5808, -9223372036854775808"
  })
  void plainNumberIsParsedExactly(String text, long expectedE4) {
    assertThat(PlainDecimal.parse(text, 4)).hasValue(expectedE4);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        ".",
        "-",
        ".5",
        "5.",
        "+5",
        "05",
        "1e2",
        "1e2147483647",
        "1,5",
        " 1",
        "1 ",
        "1.2.3",
        "Infinity",
        "٥",
        "0.00001",
        "1.00001",
        "99999999999999999999",
        "922337203685477.5808",
        "-922337203685477.5809"
      })
  void otherTextAndFinerOrLargerNumbersAreRefused(String text) {
    assertThat(PlainDecimal.parse(text, 4)).isEmpty();
  }

  @Test
  void textOfMoreThan64CharactersIsRefused() {
    assertThat(PlainDecimal.parse("1." + "0".repeat(62), 4)).hasValue(10_000);
    assertThat(PlainDecimal.parse("1." + "0".repeat(63), 4)).isEmpty();
  }

  @Test
  void numberOfDecimalsIsTheCallers() {
    assertThat(PlainDecimal.parse("0.00000001", 8)).hasValue(1);
    assertThat(PlainDecimal.parse("0.000000001", 8)).isEmpty();
    assertThat(PlainDecimal.parse("92233720368.54775807", 8)).hasValue(Long.MAX_VALUE);
    assertThat(PlainDecimal.parse("92233720368.54775808", 8)).isEmpty();
    assertThat(PlainDecimal.parse("12.50", 2)).hasValue(1_250);
    assertThat(PlainDecimal.parse("7.000", 0)).hasValue(7);
    assertThat(PlainDecimal.parse("7.5", 0)).isEmpty();
  }

  @Test
  void integerHasNoPoint() {
    assertThat(PlainDecimal.parseInteger("-7")).hasValue(-7);
    assertThat(PlainDecimal.parseInteger("7.0")).isEmpty();
    assertThat(PlainDecimal.parseInteger("+7")).isEmpty();
    assertThat(PlainDecimal.parseInteger("٧")).isEmpty();
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
  void textHasNoTrailingZerosAndNoExponent(long valueE4, String expected) {
    assertThat(PlainDecimal.format(valueE4, 4)).isEqualTo(expected);
  }
}
