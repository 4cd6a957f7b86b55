package toystore.frontend.orders;

import static org.assertj.core.api.Assertions.assertThat;
import static toystore.common.RootLocale.format;
import static toystore.frontend.RunningFrontend.data;
import static toystore.frontend.RunningFrontend.error;

import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import toystore.frontend.FakeOrderRpc;
import toystore.frontend.FakedFrontend;
import toystore.frontend.RunningFrontend;
import toystore.platform.error.ErrorReason;
import toystore.platform.journal.RequestKey;

@Timeout(30) // where a deadline is not kept
class OrdersTest {
  private static final String TUX = "{\"name\":\"Tux\",\"quantity\":1}";

  private final FakedFrontend shop = FakedFrontend.open();

  @Test
  void placeOrderReturnsOnlyTheOrderNumber() {
    assertThat(shop.post("/orders", TUX)).isEqualTo(data(200, "{\"order_number\":0}"));
    assertThat(shop.post("/orders", TUX)).isEqualTo(data(200, "{\"order_number\":1}"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"buy", "BUY", "Buy", "sell", "SELL", "sElL"})
  void tradeReturnsOnlyTheTransactionNumberInAnyLetterCase(String type) {
    assertThat(shop.post("/orders", "{\"name\":\"Tux\",\"quantity\":1,\"type\":\"" + type + "\"}"))
        .isEqualTo(data(200, "{\"transaction_number\":0}"));
  }

  @Test
  void expectedPriceIsSoldOrNothing() {
    String lines =
        "{\"lines\":[{\"name\":\"Whale\",\"quantity\":1,\"price\":12},"
            + "{\"name\":\"Schneemann ☃ Ж\",\"quantity\":1,\"price\":%s}]}";

    var refused = shop.post("/orders", String.format(Locale.ROOT, lines, "0.99"));

    assertThat(refused)
        .isEqualTo(
            error(409, "PRICE_CHANGED", "\\\"Schneemann ☃ Ж\\\" costs 100 cents, expected 99"));
    assertThat(shop.get("/products/Whale").body()).contains("\"quantity\":94");
    assertThat(shop.post("/orders", String.format(Locale.ROOT, lines, "1.0")))
        .isEqualTo(data(200, "{\"order_number\":0}"));
    assertThat(shop.post("/orders", "{\"name\":\"Tux\",\"quantity\":1,\"price\":25.99}"))
        .isEqualTo(data(200, "{\"order_number\":1}"));
    assertThat(shop.orders.lastRequest().getLines(0).getExpectedPriceCents()).isEqualTo(2599);
    shop.post("/orders", TUX);
    assertThat(shop.orders.lastRequest().getLines(0).hasExpectedPriceCents()).isFalse();
  }

  @ParameterizedTest
  @ValueSource(strings = {"0", "-1", "1.001", "\"1\"", "null", "1e1", "1000000000.01"})
  void invalidExpectedPriceIsRefused(String price) {
    String order = "{\"name\":\"Tux\",\"quantity\":1,\"price\":" + price + "}";
    for (String body : List.of(order, "{\"lines\":[" + order + "]}")) {
      assertThat(shop.post("/orders", body))
          .satisfies(it -> assertThat(it.status()).as(it.body()).isEqualTo(400))
          .satisfies(it -> assertThat(it.body()).contains("price must be a number from 0.01"));
    }
    assertThat(shop.orders.callCount()).isZero();
  }

  private static String lines(int count) {
    return "{\"lines\":["
        + String.join(",", Collections.nCopies(count, "{\"name\":\"Tux\",\"quantity\":1}"))
        + "]}";
  }

  @ParameterizedTest
  @ValueSource(strings = {"1.5", "null", "0", "2147483648", "\\\"5\\\""})
  void invalidQuantityReturns400WithTheReceivedValue(String quantity) {
    assertThat(
            shop.post(
                "/orders",
                format("{\"name\":\"Tux\",\"quantity\":%s}", quantity.replace("\\", ""))))
        .isEqualTo(
            error(
                400,
                "INVALID",
                "quantity must be an integer from 1 to 2147483647, got " + quantity));
    assertThat(shop.orders.callCount()).isZero();
  }

  static Stream<Arguments> unusableBodies() {
    return Stream.of(
        refused("", "request body must be a JSON object, but it is missing"),
        refused("[]", "request body must be a JSON object, got an array"),
        refused("\"Tux\"", "request body must be a JSON object, got a string"),
        refused(
            "{\"name\":\"Tux\"}",
            "quantity must be an integer from 1 to 2147483647, but it is missing"),
        refused("{\"quantity\":1}", "name must be a non-empty string, but it is missing"),
        refused("{\"name\":\"\",\"quantity\":1}", "name must be a non-empty string, got \\\"\\\""),
        refused("{\"name\":null,\"quantity\":1}", "name must be a non-empty string, got null"),
        refused(
            "{\"name\":\"Tux\",\"quantity\":{}}",
            "quantity must be an integer from 1 to 2147483647, got an object"),
        refused(
            "{\"name\":\"Tux\",\"quantity\":1,\"type\":\"gift\"}",
            "type must be buy or sell, got \\\"gift\\\""),
        refused(
            "{\"name\":\"Tux\",\"lines\":[]}",
            "order must have either lines, or name and quantity; got both"),
        refused(
            "{\"lines\":[]}",
            "lines must be an array of 1 to 50 objects, got an array of length 0"),
        refused(
            "{\"lines\":[{\"name\":\"Tux\",\"quantity\":1},{\"name\":\"Tux\"}]}",
            "quantity must be an integer from 1 to 2147483647, but it is missing"));
  }

  private static Arguments refused(String body, String message) {
    return Arguments.of(body, message);
  }

  @ParameterizedTest
  @MethodSource("unusableBodies")
  void invalidOrderReturns400WithTheReceivedValue(String body, String message) {
    assertThat(shop.post("/orders", body)).isEqualTo(error(400, "INVALID", message));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{\"name\":\"Tux\",\"quantity\":1,\"quantity\":2}",
        TUX + TUX,
        "name=Tux&quantity=1"
      })
  void invalidJsonReturns400(String body) {
    var reply = shop.post("/orders", body);

    assertThat(reply.status()).isEqualTo(400);
    assertThat(reply.body()).contains("request body is not valid JSON: ");
    assertThat(shop.orders.callCount()).isZero();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{'name':'GameStart','quantity':1,'typ':'sell'}|typ|name, quantity, price, lines, type",
        "{'name':'Tux','quantity':1,'colour':[1.5,{}]}|colour|name, quantity, price, lines, type",
        "{'lines':[{'name':'Tux','quantity':1,'type':'buy'}]}|type|name, quantity, price",
        "{'Name':'Tux','quantity':1}|Name|name, quantity, price, lines, type",
        "{'aaaaaaaaaabbbbbbbbbbccccccccccddddddddddeeeee':1}|aaaaaaaaaabbbbbbbbbbccccccccccdddddddddd…|name, quantity, price, lines, type"
      })
  void unknownFieldReturns400(String body, String field, String known) {
    assertThat(shop.post("/orders", body.replace('\'', '"')))
        .isEqualTo(
            error(
                400,
                "INVALID",
                format("unknown field \\\"%s\\\"; known fields are %s", field, known)));
    assertThat(shop.orders.callCount()).isZero();
  }

  @Test
  void administratorListsOrdersInPages() {
    for (int i = 0; i < 3; i++) {
      shop.post("/orders", TUX);
    }
    String order =
        "{\"number\":%d,\"name\":\"Tux\",\"quantity\":1,\"price\":25.99,\"time\":\"2027-01-15T08:00:00Z\"}";

    assertThat(shop.asAdministrator("GET", "/orders?limit=2", ""))
        .isEqualTo(
            data(
                200,
                "{\"items\":["
                    + String.format(Locale.ROOT, order, 0)
                    + ","
                    + String.format(Locale.ROOT, order, 1)
                    + "],\"next\":1}"));
    assertThat(shop.asAdministrator("GET", "/orders?limit=2&after=1", ""))
        .isEqualTo(data(200, "{\"items\":[" + String.format(Locale.ROOT, order, 2) + "]}"));
    assertThat(shop.asAdministrator("GET", "/orders?after=x", ""))
        .isEqualTo(
            error(400, "INVALID", "after must be an integer from 0 to 9223372036854775807, got x"));
  }

  /// The IETF draft of the header has the key in quotes (RFC 8941).
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "\"q 1\"|q 1",
        "\"q\\\"2\\\\\"|q\"2\\",
        "\"q3|\"q3",
        "\"q\\7\"|\"q\\7\"",
        "\"q8\\\"|\"q8\\\"",
        "\"q9\";a=1|\"q9\";a=1"
      })
  void keyInQuotesIsTheSameKeyAsWithout(String sent, String key) {
    var response = shop.send("POST", "/orders", TUX, "Idempotency-Key", sent);

    assertThat(response.statusCode()).isEqualTo(200);
    assertThat(response.headers().allValues("Idempotency-Key")).containsExactly(sent);
    assertThat(shop.orders.lastEnvelope().key().value()).isEqualTo(key);
  }

  @Test
  void emptyKeyInQuotesReturns400() {
    assertThat(shop.post("/orders", TUX, "Idempotency-Key", "\"\"").status()).isEqualTo(400);
    assertThat(shop.post("/orders", TUX, "Idempotency-Key", "\"" + "k".repeat(255) + "\"").status())
        .isEqualTo(200);
    assertThat(shop.post("/orders", TUX, "Idempotency-Key", "\"" + "k".repeat(256) + "\"").status())
        .isEqualTo(400);
  }

  @Test
  void keyIsForwardedWithScopeAndOrigin() {
    shop.post("/orders/", TUX, "Idempotency-Key", "k4");
    var clients = shop.orders.lastEnvelope().key();
    var answered = shop.send("POST", "/orders", TUX);
    var own = shop.orders.lastEnvelope().key();

    assertThat(clients).isEqualTo(new RequestKey("POST /orders", "k4", true));
    assertThat(own.clientMade()).isFalse();
    assertThat(answered.headers().firstValue("Idempotency-Key")).hasValue(own.value());
    assertThat(UUID.fromString(own.value()).version()).isEqualTo(7);
  }

  @Test
  void orderIsForwardedWithItsDecideByTime() {
    var before = Instant.now();
    shop.post("/orders", TUX);

    assertThat(shop.orders.lastEnvelope().decideBy())
        .isBetween(before.plusSeconds(3), Instant.now().plusSeconds(3));
  }

  @Test
  void timeoutReturns504WithTheKey() {
    shop.catalog.put(FakeOrderRpc.NEVER_ANSWERED, 100, 1, "");

    assertThat(
            shop.post(
                "/orders", "{\"name\":\"Sloth\",\"quantity\":1}", "Idempotency-Key", "slow-1"))
        .isEqualTo(
            error(
                504,
                "OUTCOME_UNKNOWN",
                "outcome unknown: the request may or may not have been processed; retry with Idempotency-Key slow-1"));
  }

  @ParameterizedTest
  @CsvSource({
    "INVALID,400,no such thing",
    "SUSPENDED,409,no such thing",
    "STOCK_LIMIT,409,no such thing",
    "OVERLOADED,503,no such thing",
    "CATALOG_BEHIND,503,no such thing",
    "NOT_DONE,503,'a backend service is unavailable; the request was not processed; retry later'",
    "OUTCOME_UNKNOWN,504,'outcome unknown: the request may or may not have been processed; retry with Idempotency-Key K'",
    "TOO_LATE,504,'outcome unknown: the request may or may not have been processed; retry with Idempotency-Key K'",
    "INTERNAL_ERROR,500,internal error"
  })
  void eachErrorReasonMapsToItsStatus(String reason, int status, String message) {
    shop.catalog.failFor("Tux", ErrorReason.valueOf(reason), "no such thing");
    String shown = reason.equals("TOO_LATE") ? "OUTCOME_UNKNOWN" : reason; // on a write

    var response = shop.send("POST", "/orders", TUX, "Idempotency-Key", "K");

    assertThat(RunningFrontend.reply(response)).isEqualTo(error(status, shown, message));
    assertThat(response.headers().firstValue("Retry-After").isPresent()).isEqualTo(status == 503);
  }
}
