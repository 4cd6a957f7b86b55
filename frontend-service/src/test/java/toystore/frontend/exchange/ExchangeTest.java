package toystore.frontend.exchange;

import static org.assertj.core.api.Assertions.assertThat;
import static toystore.common.RootLocale.format;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import toystore.common.v1.IdempotencyKey;
import toystore.exchange.v1.AddSharesRequest;
import toystore.exchange.v1.CancelOrderRequest;
import toystore.exchange.v1.CreateAccountRequest;
import toystore.exchange.v1.GetAccountRequest;
import toystore.exchange.v1.GetOrderRequest;
import toystore.exchange.v1.PlaceOrderRequest;
import toystore.exchange.v1.Side;
import toystore.frontend.FakeMarketplaceServices;
import toystore.frontend.RunningFrontend;
import toystore.frontend.RunningFrontend.Reply;
import toystore.platform.error.ErrorReason;

/// The REST API of the exchange with a fake exchange: what the frontend itself decides.
class ExchangeTest {
  private static final String ACCOUNTS = "/api/exchange/accounts";
  private static final String ORDERS = ACCOUNTS + "/7/orders";
  private static final String BUYER = "Bearer " + FakeMarketplaceServices.BUYER_TOKEN;

  private final RunningFrontend shop = RunningFrontend.open();

  private Reply send(String method, String path, String body, String... headers) {
    var all = new ArrayList<>(List.of("Authorization", BUYER));
    all.addAll(List.of(headers));
    return RunningFrontend.reply(shop.send(method, path, body, all.toArray(String[]::new)));
  }

  @Test
  void commandHasTheBearersTokenAKeyOfItsPathAndALatestTime() {
    send("POST", ORDERS, order("\"300\"", "\"125\""), "Idempotency-Key", "k");

    var sent = shop.exchange.lastRequest(PlaceOrderRequest.class);
    assertThat(shop.exchange.lastToken()).isEqualTo(BUYER);
    assertThat(sent.getKey())
        .isEqualTo(
            IdempotencyKey.newBuilder()
                .setScope("POST /api/exchange/accounts/7/orders")
                .setValue("k")
                .setClientMade(true)
                .build());
    assertThat(sent.getDecideBy().getSeconds())
        .isBetween(Instant.now().getEpochSecond(), Instant.now().getEpochSecond() + 4);
    assertThat(List.of(sent.getAccountId(), sent.getSharesE4(), sent.getLimitE4()))
        .containsExactly(7L, 3_000_000L, 1_250_000L);
    assertThat(sent.getSide()).isEqualTo(Side.SIDE_BUY);
    assertThat(sent.getSymbol()).isEqualTo("ACME");

    send("POST", ACCOUNTS + "/7/shares", "{\"symbol\":\"ACME\",\"shares\":0}");
    assertThat(shop.exchange.lastRequest(AddSharesRequest.class).getKey().getClientMade())
        .isFalse();
    send("DELETE", ORDERS + "/12", "");
    assertThat(shop.exchange.lastRequest(CancelOrderRequest.class).getOrderId()).isEqualTo(12);
  }

  /// A number and a string mean the same, and nothing is rounded.
  @ParameterizedTest
  @CsvSource({"0.0001,1", "1.50000,15000", "922337203685477.5807,9223372036854775807"})
  void amountIsExact(String written, long tenThousandths) {
    send("POST", ORDERS, order(written, written));
    assertThat(shop.exchange.lastRequest(PlaceOrderRequest.class).getSharesE4())
        .isEqualTo(tenThousandths);
    send("POST", ORDERS, order("\"1\"", "\"" + written + "\""));
    assertThat(shop.exchange.lastRequest(PlaceOrderRequest.class).getLimitE4())
        .isEqualTo(tenThousandths);
  }

  @Test
  void cashHasEightDecimals() {
    send("POST", ACCOUNTS, "{\"balance\":92233720368.54775807}");
    assertThat(shop.exchange.lastRequest(CreateAccountRequest.class).getBalanceE8())
        .isEqualTo(Long.MAX_VALUE);
    for (String other :
        List.of(
            "0.000000001", "92233720368.54775808", "-5", "1e2", "1e999999999", "1e-999999999")) {
      assertThat(send("POST", ACCOUNTS, "{\"balance\":" + other + "}").body())
          .contains("balance must be an amount from 0 to 92233720368.54775807");
    }
  }

  private static String order(String shares, String limit) {
    return format(
        "{\"symbol\":\"ACME\",\"side\":\"buy\",\"shares\":%s,\"limit\":%s}", shares, limit);
  }

  @ParameterizedTest
  @CsvSource({"INSUFFICIENT_CASH,409", "SYMBOL_NOT_FOUND,404", "KEY_REUSED,422"})
  void refusalOfTheExchangeIsAProblemWithItsReason(String reason, int status) {
    shop.exchange.fail(ErrorReason.valueOf(reason), "no");
    var refused = shop.send("POST", ORDERS, order("1", "1"), "Authorization", BUYER);
    assertThat(refused.statusCode()).isEqualTo(status);
    assertThat(refused.headers().firstValue("Content-Type")).hasValue("application/problem+json");
    assertThat(refused.body()).contains("\"detail\":\"no\"", "\"reason\":\"" + reason + "\"");
  }

  @Test
  void lostAnswerIsUnknownAndNamesItsKey() {
    shop.exchange.fail(ErrorReason.OUTCOME_UNKNOWN, "lost");
    var unknown = send("POST", ORDERS, order("1", "1"), "Idempotency-Key", "k");
    assertThat(unknown.status()).isEqualTo(504);
    assertThat(unknown.body()).contains("retry with Idempotency-Key k");
    assertThat(send("DELETE", ORDERS + "/12", "").status()).isEqualTo(504);
  }

  @Test
  void executionsAndPositionsArePaged() {
    assertThat(send("GET", ORDERS + "/12?after=7&limit=1", "").body()).endsWith(",\"next\":1}");
    var order = shop.exchange.lastRequest(GetOrderRequest.class);
    assertThat(List.of(order.getAfterTradeId(), (long) order.getLimit())).containsExactly(7L, 1L);
    assertThat(send("GET", ORDERS + "/12", "").body()).doesNotContain("next");
    assertThat(shop.exchange.lastRequest(GetOrderRequest.class).getLimit()).isEqualTo(50);

    assertThat(send("GET", ACCOUNTS + "/7?after=ACME&limit=1", "").body())
        .startsWith("{\"account\":{\"account_id\":7,")
        .endsWith("}]},\"next\":\"ACME\"}");
    assertThat(shop.exchange.lastRequest(GetAccountRequest.class).getAfterSymbol())
        .isEqualTo("ACME");
    assertThat(send("GET", ACCOUNTS + "/7", "").body()).doesNotContain("next");
    assertThat(shop.exchange.lastRequest(GetAccountRequest.class).getLimit()).isEqualTo(50);
    for (String path : List.of(ACCOUNTS + "/7", ORDERS + "/12")) {
      assertThat(send("GET", path + "?limit=201", "").status()).isEqualTo(400);
    }
    assertThat(send("GET", ACCOUNTS + "/7?after=A-B", "").status()).isEqualTo(404);
    assertThat(send("GET", ORDERS + "/12?after=x", "").status()).isEqualTo(400);
  }

  @Test
  void listsEndWithoutNext() {
    assertThat(send("GET", ORDERS + "?limit=2", "").body()).doesNotContain("next");
    assertThat(send("GET", ORDERS + "?limit=1&after=12", "").body())
        .startsWith("{\"orders\":[{\"order_id\":11,")
        .doesNotContain("next");
    for (int i = 0; i < 3; i++) {
      shop.exchange.trade("ACME", 1);
    }
    assertThat(send("GET", "/api/exchange/symbols/ACME/trades?limit=2", "").body())
        .startsWith("{\"trades\":[{\"trade_id\":3,")
        .endsWith("\"next\":2}");
    assertThat(send("GET", "/api/exchange/symbols/BEAR/trades", "").body())
        .isEqualTo("{\"trades\":[]}");
  }

  @Test
  void storeAndMarketplaceWorkWithoutTheExchange() {
    try (var alone =
        RunningFrontend.frontend(
            "--toystore.admin-token=" + RunningFrontend.TOKEN,
            target("catalog"),
            target("order"),
            target("account"),
            "--toystore.deadline=400ms",
            "--toystore.frontend.exchange-target=static://127.0.0.1:1")) {
      int port = RunningFrontend.port(alone, "local.server.port");
      int management = RunningFrontend.port(alone, "local.management.port");
      for (int i = 0; i < 20; i++) {
        var refused = shop.sendTo(port, "GET", ACCOUNTS, "", "Authorization", BUYER);
        assertThat(refused.statusCode()).isEqualTo(503);
        assertThat(refused.headers().firstValue("Retry-After")).hasValue("1");
      }
      assertThat(
              shop.sendTo(port, "GET", "/api/exchange/feed", "", "Authorization", BUYER)
                  .statusCode())
          .isEqualTo(503);
      assertThat(shop.sendTo(port, "GET", "/products/Tux", "").statusCode()).isEqualTo(200);
      assertThat(shop.sendTo(port, "GET", "/api/cart", "", "Authorization", BUYER).statusCode())
          .isEqualTo(200);
      assertThat(shop.sendTo(port, "GET", "/health", "").statusCode()).isEqualTo(200);
      assertThat(shop.sendTo(management, "GET", "/health/readiness", "").statusCode())
          .isEqualTo(200);
      var audit = shop.sendTo(management, "GET", "/audit", "");
      assertThat(audit.statusCode()).isEqualTo(503);
      assertThat(audit.body())
          .startsWith("{\"ok\":null,")
          .contains("{\"name\":\"exchange-service\",\"ok\":null,");
    }
  }

  private String target(String service) {
    String setting = "toystore.frontend." + service + "-target";
    return "--" + setting + "=" + shop.frontend.getEnvironment().getRequiredProperty(setting);
  }
}
