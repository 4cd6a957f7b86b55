package toystore.frontend;

import static org.assertj.core.api.Assertions.assertThat;
import static toystore.common.RootLocale.format;

import java.net.http.HttpResponse;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import toystore.account.v1.AccountServiceGrpc;
import toystore.order.v1.CartLine;
import toystore.order.v1.CartServiceGrpc;
import toystore.order.v1.PurchaseServiceGrpc;
import toystore.platform.error.ErrorReason;

/// The REST API of the marketplace: what the frontend itself decides. The whole is tested in e2e.
class MarketplaceTest {
  private static final TestMarket MARKET = TestMarket.open(RunningFrontend.open());
  private static final String[] BUYER = {
    "Authorization", "Bearer " + MARKET.buyer(), "Idempotency-Key", "k"
  };
  private static final String SECRET = "hunter2hunter2";

  private final RunningFrontend shop = RunningFrontend.open();

  @Test
  void keyBelongsToPathAndUser() {
    String item = format("{\"item_id\":%d,\"quantity\":1}", MARKET.item());
    for (String buyer : List.of(shop.newBuyer(), shop.newBuyer())) {
      String[] keyed = {"Authorization", "Bearer " + buyer, "Idempotency-Key", "k"};
      for (String path : List.of("/api/cart/items", "/api/cart/save")) {
        var first = shop.send("POST", path, path.endsWith("save") ? "" : item, keyed);
        assertThat(first.statusCode()).isBetween(200, 201);
        assertThat(first.headers().firstValue("Idempotency-Replayed")).isEmpty();
      }
      assertThat(shop.send("POST", "/api/cart/items", item, keyed).headers().map())
          .containsKey("idempotency-replayed");
    }
  }

  /// A session that cannot be checked is no reason to repeat with a key: nothing was done.
  @ParameterizedTest
  @ValueSource(strings = {"/api/buyers/login", "/api/sellers/login"})
  void loginWithoutAnAnswerIsNotDone(String path) {
    shop.faults.fail(AccountServiceGrpc.getLoginMethod(), ErrorReason.OUTCOME_UNKNOWN);
    var response = shop.send("POST", path, "{\"username\":\"u\",\"password\":\"p\"}");
    assertThat(response.statusCode()).isEqualTo(503);
    assertThat(response.headers().firstValue("Retry-After")).hasValue("1");
  }

  @Test
  void purchaseWithoutAnAnswerIsUnknownAndNamesItsKey() {
    shop.faults.fail(PurchaseServiceGrpc.getPurchaseMethod(), ErrorReason.OUTCOME_UNKNOWN);
    var response = shop.send("POST", "/api/purchases", card("4111111111111111"), BUYER);
    assertThat(response.statusCode()).isEqualTo(504);
    assertThat(response.body()).contains("retry with Idempotency-Key k");
  }

  @Test
  void logoutSucceedsIfTheCartCannotBeDeleted() {
    shop.faults.fail(CartServiceGrpc.getEndSessionMethod(), ErrorReason.NOT_DONE);
    assertThat(shop.as(shop.newBuyer(), "POST", "/api/buyers/logout", ""))
        .isEqualTo(new RunningFrontend.Reply(200, "{\"message\":\"logged out\"}"));
  }

  /// The answer to a wrong secret must not contain it, whatever is wrong.
  @ParameterizedTest
  @ValueSource(
      strings = {
        "{\"username\":\"u\",\"password\":[\"SECRET\"]}",
        "{\"username\":\"u\",\"password\":\"SECRETSECRETSECRETSECRETSECRETSECRETSECRETSECRET\"}",
        "{\"username\":\"u\",\"password\":SECRET}",
        "{\"username\":\"u\",\"password\":\"SECRET\"",
        "\"SECRET\"",
        "[\"SECRET\"]",
        "SECRET",
        "{\"username\":\"u\",\"password\":\"SECRET\\ud800\"}"
      })
  void errorDoesNotQuoteAPassword(String body) {
    for (String path : List.of("/api/buyers/register", "/api/sellers/login")) {
      assertRefusedWithout(SECRET, shop.send("POST", path, body.replace("SECRET", SECRET)));
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"card_holder_name", "card_number", "expiration_date", "security_code", "body"})
  void errorDoesNotQuoteACard(String field) {
    String body =
        field.equals("body")
            ? card(SECRET).replace("\"" + SECRET + "\"", SECRET)
            : card("4111111111111111")
                .replaceFirst(
                    format("(\"%s\"):\"[^\"]*\"", field), format("$1:{\"a\":\"%s\"}", SECRET));
    assertRefusedWithout(SECRET, shop.send("POST", "/api/purchases", body, BUYER));
    assertRefusedWithout(SECRET, shop.send("POST", "/api/purchases", card(SECRET), BUYER));
  }

  private static void assertRefusedWithout(String secret, HttpResponse<String> response) {
    assertThat(response.statusCode()).as(response.body()).isEqualTo(400);
    assertThat(response.headers().firstValue("Content-Type")).hasValue("application/problem+json");
    assertThat(response.body()).doesNotContain(secret);
  }

  /// The cart may be sent as it was read, or without the names.
  @Test
  void expectedStateReachesTheServicesIfItIsGiven() {
    String card = card("4111111111111111");
    var purchase = PurchaseServiceGrpc.getPurchaseMethod();
    String buyer = shop.newBuyer();
    shop.as(buyer, "POST", "/api/purchases", card);
    assertThat(shop.faults.last(purchase).hasSeen()).isFalse();
    for (String line :
        List.of(
            "{\"item_id\":153,\"quantity\":2,\"saved\":false,\"name\":\"x\",\"price\":12.5}",
            "{\"item_id\":153,\"quantity\":2,\"price\":12.50}")) {
      String seen = card.replace("}", format(",\"cart\":[%s]}", line));
      shop.as(buyer, "POST", "/api/purchases", seen);
      assertThat(shop.faults.last(purchase).getSeen().getLinesList())
          .containsExactly(
              CartLine.newBuilder().setItemId(153).setQuantity(2).setPriceCents(1250).build());
    }
    String path = format("/api/sellers/items/%d/quantity", MARKET.item());
    for (String expected : List.of("", ",\"expected_stock\":0")) {
      String remove = format("{\"quantity\":1%s}", expected);
      assertThat(shop.as(MARKET.seller(), "PUT", path, remove).status())
          .isEqualTo(expected.isEmpty() ? 200 : 409);
    }
  }

  private static String card(String number) {
    return format(
        "{\"card_holder_name\":\"Bob Bell\",\"card_number\":\"%s\",\"expiration_date\":\"12/30\",\"security_code\":\"123\"}",
        number);
  }
}
