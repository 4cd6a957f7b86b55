package toystore.frontend;

import static org.assertj.core.api.Assertions.assertThat;
import static toystore.common.RootLocale.format;

import java.net.http.HttpResponse;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import toystore.catalog.v1.RemoveUnitsRequest;
import toystore.order.v1.CartLine;
import toystore.order.v1.PurchaseRequest;
import toystore.platform.error.ErrorReason;
import toystore.platform.journal.RequestKey;

/// The REST API of the marketplace with fake services: what the frontend itself decides. The whole
/// is tested in e2e.
class MarketplaceTest {
  private static final String[] BUYER = {
    "Authorization", "Bearer " + FakeMarketplaceServices.BUYER_TOKEN, "Idempotency-Key", "k"
  };
  private static final String[] SELLER = {
    "Authorization", "Bearer " + FakeMarketplaceServices.SELLER_TOKEN
  };
  private static final String SECRET = "hunter2hunter2";

  private final FakedFrontend shop = FakedFrontend.open();

  @Test
  void keyBelongsToPathAndUser() {
    shop.send("POST", "/api/cart/items", "{\"item_id\":1,\"quantity\":2}", BUYER);
    assertThat(shop.market.lastKey()).isEqualTo(key("POST /api/cart/items buyer 1"));

    String body = "{\"username\":\"u\",\"password\":\"p\"}";
    shop.send("POST", "/api/sellers/register", body, "Idempotency-Key", "k");
    assertThat(shop.market.lastKey()).isEqualTo(key("POST /api/sellers/register"));
  }

  private static RequestKey key(String scope) {
    return new RequestKey(scope, "k", true);
  }

  /// A session that cannot be checked is no reason to repeat with a key: nothing was done.
  @ParameterizedTest
  @CsvSource({
    "POST,/api/buyers/login,'{\"username\":\"u\",\"password\":\"p\"}'",
    "POST,/api/sellers/login,'{\"username\":\"u\",\"password\":\"p\"}'"
  })
  void loginWithoutAnAnswerIsNotDone(String method, String path, String body) {
    shop.market.fail(ErrorReason.OUTCOME_UNKNOWN, "lost");
    var response = shop.send(method, path, body);
    assertThat(response.statusCode()).isEqualTo(503);
    assertThat(response.headers().firstValue("Retry-After")).hasValue("1");
  }

  @Test
  void purchaseWithoutAnAnswerIsUnknownAndNamesItsKey() {
    shop.market.fail(ErrorReason.OUTCOME_UNKNOWN, "lost");
    var response = shop.send("POST", "/api/purchases", card("4111111111111111"), BUYER);
    assertThat(response.statusCode()).isEqualTo(504);
    assertThat(response.body()).contains("retry with Idempotency-Key k");
  }

  @Test
  void logoutSucceedsIfTheCartCannotBeDeleted() {
    shop.market.failCarts(ErrorReason.NOT_DONE);
    var response = shop.send("POST", "/api/buyers/logout", "", BUYER);
    assertThat(RunningFrontend.reply(response))
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
    shop.send("POST", "/api/purchases", card, BUYER);
    assertThat(shop.market.lastRequest(PurchaseRequest.class).hasSeen()).isFalse();
    for (String line :
        List.of(
            "{\"item_id\":153,\"quantity\":2,\"saved\":false,\"name\":\"x\",\"price\":12.5}",
            "{\"item_id\":153,\"quantity\":2,\"price\":12.50}")) {
      String seen = card.replace("}", format(",\"cart\":[%s]}", line));
      shop.send("POST", "/api/purchases", seen, BUYER);
      assertThat(shop.market.lastRequest(PurchaseRequest.class).getSeen().getLinesList())
          .containsExactly(
              CartLine.newBuilder().setItemId(153).setQuantity(2).setPriceCents(1250).build());
    }
    String remove = "{\"quantity\":1%s}";
    String path = "/api/sellers/items/153/quantity";
    shop.send("PUT", path, String.format(Locale.ROOT, remove, ""), SELLER);
    assertThat(shop.market.lastRequest(RemoveUnitsRequest.class).hasExpectedStock()).isFalse();
    shop.send("PUT", path, String.format(Locale.ROOT, remove, ",\"expected_stock\":0"), SELLER);
    assertThat(shop.market.lastRequest(RemoveUnitsRequest.class).hasExpectedStock()).isTrue();
  }

  private static String card(String number) {
    return format(
        "{\"card_holder_name\":\"Bob Bell\",\"card_number\":\"%s\",\"expiration_date\":\"12/30\",\"security_code\":\"123\"}",
        number);
  }
}
