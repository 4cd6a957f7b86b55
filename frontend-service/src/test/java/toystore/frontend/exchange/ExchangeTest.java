package toystore.frontend.exchange;

import static org.assertj.core.api.Assertions.assertThat;
import static toystore.common.RootLocale.format;

import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import toystore.common.v1.IdempotencyKey;
import toystore.exchange.v1.ExchangeServiceGrpc;
import toystore.exchange.v1.PlaceOrderRequest;
import toystore.frontend.RunningFrontend;
import toystore.frontend.RunningFrontend.Reply;
import toystore.platform.error.ErrorReason;

/// The REST API of the exchange: what the frontend itself decides.
class ExchangeTest {
  private static final String ACCOUNTS = "/api/exchange/accounts";

  private final RunningFrontend shop = RunningFrontend.open();
  private final String buyer = shop.newBuyer();
  private final String own =
      ACCOUNTS
          + "/"
          + send("POST", ACCOUNTS, "{\"balance\":90000000000}").json().at("/account/account_id");
  private final String orders = own + "/orders";
  private final String symbol = shop.trades().newSymbol();

  private Reply send(String method, String path, String body, String... headers) {
    return shop.as(buyer, method, path, body, headers);
  }

  private String order(String shares, String limit) {
    return format(
        "{\"symbol\":\"%s\",\"side\":\"buy\",\"shares\":%s,\"limit\":%s}", symbol, shares, limit);
  }

  private PlaceOrderRequest lastOrder() {
    return shop.faults.last(ExchangeServiceGrpc.getPlaceOrderMethod());
  }

  @Test
  void commandHasAKeyOfItsPathAndALatestTime() {
    send("POST", orders, order("\"300\"", "\"125\""), "Idempotency-Key", "k");

    assertThat(lastOrder().getKey())
        .isEqualTo(
            IdempotencyKey.newBuilder()
                .setScope("POST " + orders)
                .setValue("k")
                .setClientMade(true)
                .build());
    assertThat(lastOrder().getDecideBy().getSeconds())
        .isBetween(
            Instant.now().getEpochSecond(),
            Instant.now().plus(RunningFrontend.DEADLINE).getEpochSecond());
    send("POST", orders, order("300", "125"));
    assertThat(lastOrder().getKey().getClientMade()).isFalse();
  }

  /// A number and a string mean the same, and nothing is rounded.
  @ParameterizedTest
  @CsvSource({"0.0001,1", "1.50000,15000", "922337203685477.5807,9223372036854775807"})
  void amountIsExact(String written, long tenThousandths) {
    send("POST", orders, order(written, written));
    assertThat(lastOrder().getSharesE4()).isEqualTo(tenThousandths);
    send("POST", orders, order("\"1\"", "\"" + written + "\""));
    assertThat(lastOrder().getLimitE4()).isEqualTo(tenThousandths);
  }

  @Test
  void cashHasEightDecimals() {
    assertThat(send("POST", ACCOUNTS, "{\"balance\":92233720368.54775807}").body())
        .contains("\"cash\":\"92233720368.54775807\"");
    for (String other :
        List.of(
            "0.000000001", "92233720368.54775808", "-5", "1e2", "1e999999999", "1e-999999999")) {
      assertThat(send("POST", ACCOUNTS, "{\"balance\":" + other + "}").body())
          .contains("balance must be an amount from 0 to 92233720368.54775807");
    }
  }

  @ParameterizedTest
  @CsvSource({
    "10000000,10000,409,INSUFFICIENT_CASH,cash that is not reserved is less",
    "1,125,422,KEY_REUSED,Idempotency-Key was already used"
  })
  void refusalOfTheExchangeIsAProblemWithItsReason(
      String shares, String limit, int status, String reason, String detail) {
    send("POST", orders, order("2", "1"), "Idempotency-Key", "KEY_REUSED");

    var refused =
        shop.send(
            "POST",
            orders,
            order(shares, limit),
            "Authorization",
            "Bearer " + buyer,
            "Idempotency-Key",
            reason);

    assertThat(refused.statusCode()).isEqualTo(status);
    assertThat(refused.headers().firstValue("Content-Type")).hasValue("application/problem+json");
    assertThat(refused.body()).contains(detail, "\"reason\":\"" + reason + "\"");
  }

  @Test
  void lostAnswerIsUnknownAndNamesItsKey() {
    shop.faults.fail(ExchangeServiceGrpc.getPlaceOrderMethod(), ErrorReason.OUTCOME_UNKNOWN);
    var unknown = send("POST", orders, order("1", "1"), "Idempotency-Key", "k");
    assertThat(unknown.status()).isEqualTo(504);
    assertThat(unknown.body()).contains("retry with Idempotency-Key k");
    shop.faults.fail(ExchangeServiceGrpc.getCancelOrderMethod(), ErrorReason.OUTCOME_UNKNOWN);
    assertThat(send("DELETE", orders + "/12", "").status()).isEqualTo(504);
  }

  @Test
  void executionsAndPositionsArePaged() {
    shop.trades().offer(symbol, 124);
    String order = orders + "/" + placed(order("2", "125"));
    var executions = send("GET", order + "?limit=1", "").json().required("order");
    assertThat(executions.required("executions")).hasSize(1);
    long next = send("GET", order + "?limit=1", "").json().required("next").asLong();
    assertThat(send("GET", order + "?limit=1&after=" + next, "").body())
        .contains("\"price\":\"125\"")
        .doesNotContain("next");
    assertThat(send("GET", order, "").json().at("/order/executions")).hasSize(2);

    String other = shop.trades().newSymbol();
    placed(order("1", "125").replace(symbol, other));
    assertThat(send("GET", own + "?limit=1", "").body())
        .endsWith("]},\"next\":\"" + symbol + "\"}");
    assertThat(send("GET", own + "?limit=1&after=" + symbol, "").body())
        .contains("\"symbol\":\"" + other + "\"")
        .doesNotContain("next");
    for (String path : List.of(own, order)) {
      assertThat(send("GET", path + "?limit=201", "").status()).isEqualTo(400);
    }
    assertThat(send("GET", own + "?after=A-B", "").status()).isEqualTo(404);
    assertThat(send("GET", order + "?after=x", "").status()).isEqualTo(400);
  }

  private long placed(String order) {
    return send("POST", orders, order).json().at("/order/order_id").asLong();
  }

  @Test
  void listsEndWithoutNext() {
    long first = placed(order("1", "1"));
    long second = placed(order("1", "1"));
    assertThat(send("GET", orders + "?limit=2", "").body()).doesNotContain("next");
    assertThat(send("GET", orders + "?limit=1&after=" + second, "").body())
        .startsWith("{\"orders\":[{\"order_id\":" + first + ",")
        .doesNotContain("next");

    List<Long> trades = shop.trades().trades(symbol, 3);
    String path = "/api/exchange/symbols/" + symbol + "/trades";
    assertThat(send("GET", path + "?limit=2", "").body())
        .startsWith("{\"trades\":[{\"trade_id\":" + trades.getLast() + ",")
        .endsWith("\"next\":" + trades.get(1) + "}");
    assertThat(send("GET", path.replace(symbol, shop.trades().newSymbol()), "").body())
        .isEqualTo("{\"trades\":[]}");
  }

  @Test
  void storeAndMarketplaceWorkWithoutTheExchange() {
    try (var alone =
        shop.another(
            "--toystore.deadline=2s", "--toystore.frontend.exchange-target=static://127.0.0.1:1")) {
      int port = RunningFrontend.port(alone, "local.server.port");
      int management = RunningFrontend.port(alone, "local.management.port");
      String[] bearer = {"Authorization", "Bearer " + buyer};
      for (int i = 0; i < 20; i++) {
        var refused = shop.sendTo(port, "GET", ACCOUNTS, "", bearer);
        assertThat(refused.statusCode()).isEqualTo(503);
        assertThat(refused.headers().firstValue("Retry-After")).hasValue("1");
      }
      for (var path :
          List.of("/api/exchange/feed:503", "/products/Tux:200", "/api/cart:200", "/health:200")) {
        String[] expected = path.split(":");
        assertThat(shop.sendTo(port, "GET", expected[0], "", bearer).statusCode())
            .as(path)
            .isEqualTo(Integer.parseInt(expected[1]));
      }
      assertThat(shop.sendTo(management, "GET", "/health/readiness", "").statusCode())
          .isEqualTo(200);
      var audit = shop.sendTo(management, "GET", "/audit", "");
      assertThat(audit.statusCode()).isEqualTo(503);
      assertThat(audit.body())
          .startsWith("{\"ok\":null,")
          .contains("{\"name\":\"exchange-service\",\"ok\":null,");
    }
  }
}
