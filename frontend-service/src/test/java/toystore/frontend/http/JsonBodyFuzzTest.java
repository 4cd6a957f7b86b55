package toystore.frontend.http;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import java.math.BigDecimal;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.regex.Pattern;

/// A JSON body is parsed exactly or rejected with 400.
class JsonBodyFuzzTest {
  private static final Pattern JSON_NUMBER =
      Pattern.compile("-?(0|[1-9][0-9]{0,30})(\\.[0-9]{1,30})?([eE][+-]?[0-9]{1,12})?");
  private static final Pattern COUNT = Pattern.compile("[1-9][0-9]{0,9}");

  @FuzzTest
  void anyBodyIsParsedOrReturns400(byte[] body) {
    RequestBodies.readOrRejected(() -> JsonBody.parse(body))
        .ifPresent(JsonBodyFuzzTest::readAllFields);
  }

  private static void readAllFields(JsonBody fields) {
    for (String name : List.of("name", "quantity", "price", "keywords", "balance", "", "x")) {
      Optional<String> text = RequestBodies.readOrRejected(() -> fields.text(name));
      Optional<Integer> count = RequestBodies.readOrRejected(() -> fields.count(name));
      Optional<Long> price = RequestBodies.readOrRejected(() -> fields.priceCents(name));
      assertThat(text.isPresent() && (count.isPresent() || price.isPresent())).isFalse();
      assertThat(fields.has(name) || (text.isEmpty() && count.isEmpty() && price.isEmpty()))
          .isTrue();
      text.ifPresent(it -> assertThat(fields.hasText(name, it)).isTrue());
      RequestBodies.readOrRejected(() -> fields.optionalText(name, 5));
      RequestBodies.readOrRejected(() -> fields.optionalTexts(name, 5));
      RequestBodies.readOrRejected(() -> fields.optionalAmount(name));
      RequestBodies.readOrRejected(() -> fields.fixedPoint(name, 8, 0));
      RequestBodies.readOrRejected(() -> fields.secret(name, "secret", it -> it.length() < 5));
      RequestBodies.readOrRejected(() -> fields.text(name, 32))
          .ifPresent(it -> assertThat(UTF_8.newEncoder().canEncode(it)).isTrue());
      assertThat(fields.invalid(name, "another").status()).isEqualTo(400);
    }
    RequestBodies.readOrRejected(() -> fields.list("lines", 3))
        .ifPresent(JsonBodyFuzzTest::readEachLine);
  }

  private static void readEachLine(List<JsonBody> lines) {
    assertThat(lines).hasSizeBetween(1, 3);
    lines.forEach(JsonBodyFuzzTest::readAllFields);
  }

  @FuzzTest
  void priceIsNeverRounded(byte[] written) {
    String number = new String(written, UTF_8);
    if (JSON_NUMBER.matcher(number).matches()) {
      assertThat(read(number, fields -> fields.priceCents("it"))).isEqualTo(cents(number));
    }
  }

  /// A number and a string with the same text are accepted or refused alike.
  @FuzzTest
  void amountIsTheSameAsNumberAndAsString(byte[] written) {
    String number = new String(written, UTF_8);
    if (JSON_NUMBER.matcher(number).matches()) {
      assertThat(read(number, fields -> fields.fixedPoint("it", 4, 0)))
          .isEqualTo(read("\"" + number + "\"", fields -> fields.fixedPoint("it", 4, 0)));
    }
  }

  /// The specification: from 0.01 to 1,000,000,000.00, in whole cents, without exponent.
  private static Optional<Long> cents(String number) {
    try {
      BigDecimal price = new BigDecimal(number);
      return number.matches("[^eE]{1,64}")
              && price.signum() > 0
              && price.compareTo(new BigDecimal("1000000000")) <= 0
          ? Optional.of(price.movePointRight(2).longValueExact())
          : Optional.empty();
    } catch (ArithmeticException | NumberFormatException e) {
      return Optional.empty();
    }
  }

  @FuzzTest
  void countAcceptsOnlyIntegerLiterals(byte[] written) {
    String number = new String(written, UTF_8);
    if (JSON_NUMBER.matcher(number).matches()) {
      Optional<Integer> count =
          COUNT.matcher(number).matches() && Long.parseLong(number) <= Integer.MAX_VALUE
              ? Optional.of(Integer.valueOf(number))
              : Optional.empty();
      assertThat(read(number, fields -> fields.count("it"))).isEqualTo(count);
    }
  }

  private static <T> Optional<T> read(
      String value, java.util.function.Function<JsonBody, T> field) {
    Supplier<T> reading =
        () -> field.apply(JsonBody.parse(("{\"it\":" + value + "}").getBytes(UTF_8)));
    return RequestBodies.readOrRejected(reading);
  }
}
