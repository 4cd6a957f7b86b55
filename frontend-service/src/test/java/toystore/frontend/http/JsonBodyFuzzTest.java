package toystore.frontend.http;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import com.fasterxml.jackson.annotation.JsonProperty;
import jakarta.validation.Valid;
import jakarta.validation.constraints.NotEmpty;
import jakarta.validation.constraints.NotNull;
import jakarta.validation.constraints.Size;
import java.math.BigDecimal;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.annotation.JsonDeserialize;
import toystore.frontend.http.json.Expected;
import toystore.frontend.http.json.Json;
import toystore.frontend.http.json.OptionalField;
import toystore.frontend.http.json.Secret;
import toystore.frontend.http.json.Units;
import toystore.frontend.http.money.Decimal;
import toystore.frontend.http.money.NewPrice;

/// A JSON body is parsed exactly or rejected with 400.
class JsonBodyFuzzTest {
  private static final Pattern JSON_NUMBER =
      Pattern.compile("-?(0|[1-9][0-9]{0,30})(\\.[0-9]{1,30})?([eE][+-]?[0-9]{1,12})?");
  private static final Pattern COUNT = Pattern.compile("[1-9][0-9]{0,9}");

  /// Fields of each kind that a request has.
  private record Fields(
      @OptionalField @NotEmpty(message = Expected.TEXT) @Nullable String name,
      @OptionalField @Nullable Integer quantity,
      @OptionalField @Decimal @Nullable BigDecimal price,
      @OptionalField @Size(max = 5, message = "must be an array of at most {max} strings")
          @Nullable List<String> keywords,
      @OptionalField @JsonDeserialize(using = Json.DecimalOrText.class)
          @Nullable BigDecimal balance,
      @OptionalField @NotNull(message = "must be a secret", payload = Secret.class)
          @Nullable String x,
      @OptionalField @Size(max = 3, message = "must be an array")
          @Nullable List<@Valid Fields> lines) {}

  private record Amount(
      @JsonProperty("it")
          @JsonDeserialize(using = Json.DecimalOrText.class)
          @Decimal(min = "0", max = "922337203685477.5807", decimals = 4)
          BigDecimal it) {}

  @FuzzTest
  void anyBodyIsParsedOrReturns400(byte[] body) {
    RequestBodies.readOrRejected(() -> RequestBodies.read(body, Fields.class))
        .map(Fields::name)
        .ifPresent(it -> assertThat(UTF_8.newEncoder().canEncode(it)).isTrue());
  }

  @FuzzTest
  void priceIsNeverRounded(byte[] written) {
    String number = new String(written, UTF_8);
    if (JSON_NUMBER.matcher(number).matches()) {
      assertThat(read("price", number, NewPrice.class).map(NewPrice::cents))
          .isEqualTo(cents(number));
    }
  }

  /// A number and a string with the same text are accepted or refused alike.
  @FuzzTest
  void amountIsTheSameAsNumberAndAsString(byte[] written) {
    String number = new String(written, UTF_8);
    if (JSON_NUMBER.matcher(number).matches()) {
      assertThat(read("it", number, Amount.class))
          .isEqualTo(read("it", "\"" + number + "\"", Amount.class));
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
      assertThat(read("quantity", number, Units.class).map(Units::quantity)).isEqualTo(count);
    }
  }

  private static <T> Optional<T> read(String field, String value, Class<T> type) {
    byte[] body = ("{\"" + field + "\":" + value + "}").getBytes(UTF_8);
    return RequestBodies.readOrRejected(() -> RequestBodies.read(body, type));
  }
}
