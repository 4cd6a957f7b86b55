package toystore.frontend.orders;

import static org.assertj.core.api.Assertions.assertThat;
import static toystore.common.RootLocale.format;
import static toystore.frontend.RunningFrontend.data;
import static toystore.frontend.RunningFrontend.error;

import io.grpc.MethodDescriptor;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import toystore.common.v1.IdempotencyKey;
import toystore.frontend.RunningFrontend;
import toystore.order.v1.OrderServiceGrpc;
import toystore.order.v1.PlaceOrderRequest;
import toystore.platform.error.ErrorReason;

@Timeout(30) // where a deadline is not kept
class OrdersTest {
  private static final MethodDescriptor<PlaceOrderRequest, ?> PLACE_ORDER =
      OrderServiceGrpc.getPlaceOrderMethod();
  private static final String TOY = RunningFrontend.open().newProduct("25.99", 1_000_000, "Orders");
  private static final String ONE = format("{\"name\":\"%s\",\"quantity\":1}", TOY);

  private final RunningFrontend shop = RunningFrontend.open();

  @Test
  void placeOrderReturnsOnlyTheOrderNumber() {
    int first = number(shop.post("/orders", ONE));
    assertThat(shop.post("/orders", ONE))
        .isEqualTo(data(200, format("{\"order_number\":%d}", first + 1)));
  }

  private static int number(RunningFrontend.Reply ordered) {
    return ordered.json().at("/data/order_number").asInt();
  }

  @ParameterizedTest
  @ValueSource(strings = {"buy", "BUY", "Buy", "sell", "SELL", "sElL"})
  void tradeReturnsOnlyTheTransactionNumberInAnyLetterCase(String type) {
    int last = number(shop.post("/orders", ONE));
    assertThat(
            shop.post("/orders", "{\"name\":\"FishCo\",\"quantity\":1,\"type\":\"" + type + "\"}"))
        .isEqualTo(data(200, format("{\"transaction_number\":%d}", last + 1)));
  }

  @Test
  void expectedPriceIsSoldOrNothing() {
    String other = shop.newProduct("1", 5, "Winter");
    String lines =
        "{\"lines\":[{\"name\":\"Whale\",\"quantity\":1},"
            + "{\"name\":\"%s\",\"quantity\":1,\"price\":%s}]}";

    assertThat(shop.post("/orders", format(lines, other, "0.99")))
        .isEqualTo(
            error(409, "PRICE_CHANGED", format("\\\"%s\\\" costs 1.00, expected 0.99", other)));
    assertThat(shop.post("/orders", format(lines, other, "1.0")).status()).isEqualTo(200);
    assertThat(shop.get("/products/" + RunningFrontend.encoded(other)).body())
        .contains("\"quantity\":4,");
    shop.post("/orders", ONE.replace("}", ",\"price\":25.99}"));
    assertThat(lastOrder().getLines(0).getExpectedPriceCents()).isEqualTo(2599);
    shop.post("/orders", ONE);
    assertThat(lastOrder().getLines(0).hasExpectedPriceCents()).isFalse();
  }

  private PlaceOrderRequest lastOrder() {
    return shop.faults.last(PLACE_ORDER);
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
    assertThat(shop.faults.sent()).isEmpty();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "''|request body must be a JSON object, but it is missing",
        "[]|request body must be a JSON object, got an array",
        "\"Tux\"|request body must be a JSON object, got a string",
        "{\"name\":\"Tux\"}|quantity must be an integer from 1 to 2147483647, but it is missing",
        "{\"name\":\"Tux\",\"quantity\":{}}|quantity must be an integer from 1 to 2147483647, got an object",
        "{\"name\":\"Tux\",\"quantity\":1.5}|quantity must be an integer from 1 to 2147483647, got 1.5",
        "{\"name\":\"Tux\",\"quantity\":null}|quantity must be an integer from 1 to 2147483647, got null",
        "{\"name\":\"Tux\",\"quantity\":0}|quantity must be an integer from 1 to 2147483647, got 0",
        "{\"name\":\"Tux\",\"quantity\":2147483648}|quantity must be an integer from 1 to 2147483647, got 2147483648",
        "{\"name\":\"Tux\",\"quantity\":\"5\"}|quantity must be an integer from 1 to 2147483647, got \\\"5\\\"",
        "{\"quantity\":1}|name must be a non-empty string, but it is missing",
        "{\"name\":\"\",\"quantity\":1}|name must be a non-empty string, got \\\"\\\"",
        "{\"name\":null,\"quantity\":1}|name must be a non-empty string, got null",
        "{\"name\":\"Tux\",\"quantity\":1,\"type\":\"gift\"}|type must be buy or sell, got \\\"gift\\\"",
        "{\"name\":\"Tux\",\"lines\":[]}|order must have either lines, or name and quantity; got both",
        "{\"lines\":[]}|lines must be an array of 1 to 50 objects, got an array of length 0",
        "{\"lines\":[{\"name\":\"Tux\",\"quantity\":1},{\"name\":\"Tux\"}]}|quantity must be an integer from 1 to 2147483647, but it is missing"
      })
  void invalidOrderReturns400WithTheReceivedValue(String body, String message) {
    assertThat(shop.post("/orders", body)).isEqualTo(error(400, "INVALID", message));
    assertThat(shop.faults.sent()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"{\"name\":\"Tux\",\"quantity\":1,\"quantity\":2}", "{}{}", "name=Tux&quantity=1"})
  void invalidJsonReturns400(String body) {
    var reply = shop.post("/orders", body);

    assertThat(reply.status()).isEqualTo(400);
    assertThat(reply.body()).contains("request body is not valid JSON: ");
    assertThat(shop.faults.sent()).isEmpty();
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
    assertThat(shop.faults.sent()).isEmpty();
  }

  @Test
  void administratorListsOrdersInPages() {
    int first = number(shop.post("/orders", ONE));
    shop.post("/orders", ONE);
    shop.post("/orders", ONE);

    var page = shop.asAdministrator("GET", "/orders?limit=2&after=" + (first - 1), "");
    assertThat(page.body().replaceAll("20[0-9T:.-]+Z", "TIME"))
        .isEqualTo(
            data(
                    200,
                    format(
                        "{\"items\":[%s,%s],\"next\":%d}",
                        order(first), order(first + 1), first + 1))
                .body());
    assertThat(shop.asAdministrator("GET", "/orders?limit=2&after=" + (first + 1), "").body())
        .startsWith("{\"data\":{\"items\":[{\"number\":" + (first + 2) + ",")
        .endsWith("}]}}");
    assertThat(shop.asAdministrator("GET", "/orders?after=x", ""))
        .isEqualTo(
            error(400, "INVALID", "after must be an integer from 0 to 9223372036854775807, got x"));
  }

  private static String order(int number) {
    return format(
        "{\"number\":%d,\"name\":\"%s\",\"quantity\":1,\"price\":25.99,\"time\":\"TIME\"}",
        number, TOY);
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
    var response = shop.send("POST", "/orders", ONE, "Idempotency-Key", sent);
    var repeated = shop.send("POST", "/orders", ONE, "Idempotency-Key", quoted(key));

    assertThat(response.statusCode()).isEqualTo(200);
    assertThat(response.headers().allValues("Idempotency-Key")).containsExactly(sent);
    assertThat(repeated.headers().firstValue("Idempotency-Replayed")).hasValue("true");
    assertThat(repeated.body()).isEqualTo(response.body());
  }

  private static String quoted(String key) {
    return '"' + key.replace("\\", "\\\\").replace("\"", "\\\"") + '"';
  }

  @Test
  void keyOfTheFrontendAndADecideByTimeAreMadeForOneRequest() {
    long earliest = Instant.now().plus(RunningFrontend.DEADLINE).getEpochSecond();
    var answered = shop.send("POST", "/orders", ONE);
    String key = answered.headers().firstValue("Idempotency-Key").orElseThrow();

    assertThat(UUID.fromString(key).version()).isEqualTo(7);
    assertThat(shop.faults.envelope(PLACE_ORDER).getKey())
        .isEqualTo(IdempotencyKey.newBuilder().setScope("POST /orders").setValue(key).build());
    assertThat(shop.faults.envelope(PLACE_ORDER).getDecideBy().getSeconds())
        .isBetween(earliest, Instant.now().plus(RunningFrontend.DEADLINE).getEpochSecond());
  }

  @Test
  void timeoutReturns504WithTheKeyAndTheRepeatGetsTheSale() {
    String[] key = {"Idempotency-Key", "slow-" + TOY.hashCode()};
    shop.faults.lose(PLACE_ORDER);

    assertThat(shop.post("/orders", ONE, key))
        .isEqualTo(
            error(
                504,
                "OUTCOME_UNKNOWN",
                "outcome unknown: the request may or may not have been processed; retry with Idempotency-Key "
                    + key[1]));
    var repeated = shop.send("POST", "/orders", ONE, key);
    assertThat(repeated.statusCode()).isEqualTo(200);
    assertThat(repeated.headers().firstValue("Idempotency-Replayed")).hasValue("true");
  }

  @ParameterizedTest
  @CsvSource({
    "INVALID,400,trouble",
    "SUSPENDED,409,trouble",
    "STOCK_LIMIT,409,trouble",
    "OVERLOADED,503,trouble",
    "CATALOG_BEHIND,503,trouble",
    "NOT_DONE,503,'a backend service is unavailable; the request was not processed; retry later'",
    "OUTCOME_UNKNOWN,504,'outcome unknown: the request may or may not have been processed; retry with Idempotency-Key K'",
    "TOO_LATE,504,'outcome unknown: the request may or may not have been processed; retry with Idempotency-Key K'",
    "INTERNAL_ERROR,500,internal error"
  })
  void eachErrorReasonMapsToItsStatus(String reason, int status, String message) {
    shop.faults.fail(PLACE_ORDER, ErrorReason.valueOf(reason));
    String shown = reason.equals("TOO_LATE") ? "OUTCOME_UNKNOWN" : reason; // on a write

    var response = shop.send("POST", "/orders", ONE, "Idempotency-Key", "K");

    assertThat(RunningFrontend.reply(response)).isEqualTo(error(status, shown, message));
    assertThat(response.headers().firstValue("Retry-After").isPresent()).isEqualTo(status == 503);
  }
}
