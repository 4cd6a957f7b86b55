package toystore.frontend.http;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.net.URLEncoder;
import java.nio.ByteBuffer;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import org.apache.catalina.connector.Connector;
import org.apache.catalina.connector.Request;
import toystore.frontend.http.json.ProductNameValidator;
import toystore.frontend.http.key.IdempotencyKey;
import toystore.frontend.http.money.DecimalAmounts;
import toystore.frontend.http.money.NewPrice;
import toystore.frontend.http.paging.PageQuery;
import toystore.frontend.http.paging.PagedResponse;
import toystore.frontend.http.request.BufferedRequest;

/// Values from headers, queries, paths and forms are parsed exactly or rejected with 400.
class EdgeFuzzTest {
  private static final Connector CONNECTOR = new Connector();
  private static final Pattern KEY = Pattern.compile("[ -~]{1,255}");
  private static final Pattern INTEGER = Pattern.compile("-?[0-9]+");
  private static final BigDecimal HUNDRED = BigDecimal.valueOf(100);
  private static final long MAX_CENTS = 100_000_000_000L;

  @FuzzTest
  void idempotencyKeyHasOneTo255PrintableCharacters(byte[] header) {
    String input = new String(header, UTF_8);
    String quoted = "\"" + input.replace("\\", "\\\\").replace("\"", "\\\"") + "\"";
    Optional<String> valid = Optional.of(input).filter(it -> KEY.matcher(it).matches());
    assertThat(RequestBodies.readOrRejected(() -> IdempotencyKey.fromClient(quoted).value()))
        .isEqualTo(valid);
    if (!input.startsWith("\"")) {
      assertThat(RequestBodies.readOrRejected(() -> IdempotencyKey.fromClient(input).value()))
          .isEqualTo(valid);
    }
  }

  @FuzzTest
  void queryNumberIsAnIntegerInRange(byte[] query) {
    String input = new String(query, UTF_8);
    assertThat(
            RequestBodies.readOrRejected(
                () -> PagedResponse.parseNumber("after", input, 0, Long.MAX_VALUE)))
        .isEqualTo(integer(input, 0, Long.MAX_VALUE));
    assertThat(RequestBodies.readOrRejected(() -> (long) new PageQuery("", input).size()))
        .isEqualTo(input.isEmpty() ? Optional.of(50L) : integer(input, 1, 200));
  }

  private static Optional<Long> integer(String text, long from, long to) {
    return Optional.of(text)
        .filter(it -> INTEGER.matcher(it).matches())
        .map(BigInteger::new)
        .filter(it -> it.compareTo(BigInteger.valueOf(from)) >= 0)
        .filter(it -> it.compareTo(BigInteger.valueOf(to)) <= 0)
        .map(BigInteger::longValueExact);
  }

  @FuzzTest
  void onlySameOriginRequestsAreAccepted(byte[] header) {
    String origin = new String(header, ISO_8859_1); // as Tomcat decodes headers
    var request = new Request(CONNECTOR, new org.apache.coyote.Request());
    var headers = request.getCoyoteRequest().getMimeHeaders();
    headers.addValue("Host").setString("toys.example:8080");
    headers.addValue("Origin").setString(origin);
    assertThat(RequestCheckFilter.isCrossSite(request))
        .isEqualTo(!origin.toLowerCase(Locale.ROOT).endsWith("://toys.example:8080"));
  }

  @FuzzTest
  void moneyRoundTripsThroughJson(byte[] bytes) {
    long cents =
        ByteBuffer.allocate(Long.BYTES)
            .put(bytes, 0, Math.min(bytes.length, Long.BYTES))
            .getLong(0);
    BigDecimal amount = DecimalAmounts.ofCents(cents);
    assertThat(amount.multiply(HUNDRED)).isEqualByComparingTo(BigDecimal.valueOf(cents));
    assertThat(amount.toPlainString()).matches("-?(0|[1-9][0-9]*)\\.([0-9]|[0-9][1-9])");
    byte[] body = ("{\"price\":" + amount.toPlainString() + "}").getBytes(US_ASCII);
    assertThat(RequestBodies.readOrRejected(() -> RequestBodies.read(body, NewPrice.class).cents()))
        .isEqualTo(Optional.of(cents).filter(it -> it >= 1 && it <= MAX_CENTS));
  }

  @FuzzTest
  void anyFormIsParsedOrReturns400(byte[] body) {
    RequestBodies.readOrRejected(() -> BufferedRequest.form(body));
  }

  @FuzzTest
  void formValuesRoundTrip(byte[] input) {
    String value = new String(input, UTF_8);
    String body = "key=1&name=" + URLEncoder.encode(value, UTF_8);
    assertThat(BufferedRequest.form(body.getBytes(US_ASCII)))
        .containsExactlyInAnyOrderEntriesOf(Map.of("key", "1", "name", value));
  }

  @FuzzTest
  void validProductNameRoundTripsThroughUtf8(byte[] bytes) {
    String name = new String(bytes, java.nio.charset.StandardCharsets.UTF_16BE);
    if (ProductNameValidator.isValid(name)) {
      assertThat(new String(name.getBytes(UTF_8), UTF_8)).isEqualTo(name);
      assertThat(name).doesNotContain("/", "%", "\n", "\r", "\u0000");
      assertThat(name.codePointCount(0, name.length())).isBetween(1, 100);
    }
  }
}
