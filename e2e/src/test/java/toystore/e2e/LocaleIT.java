package toystore.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static toystore.clients.Conditions.await;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import toystore.clients.MarketplaceClient;
import toystore.clients.StoreHttpClient;
import toystore.clients.StoreHttpClient.Reply;
import toystore.clients.StoreProcesses;

/// A store that runs in a locale with other digits and another charset writes the same bytes as in
/// English: after a restart in English, each repeated request gets its first answer.
@Tag("long")
class LocaleIT {
  private static final String[] ARABIC = {
    "-Duser.language=ar", "-Duser.country=EG", "-Dfile.encoding=ISO-8859-1"
  };
  private static final String[] ENGLISH = {"-Duser.language=en", "-Duser.country=US"};

  @TempDir Path folder;

  @Test
  void requestsAreRepeatedInAnotherLocale() throws Exception {
    String[] services = StoreProcesses.SERVICES.toArray(String[]::new);
    try (var store = new StoreProcesses(folder)) {
      store.with("account", "toystore.account.bcrypt-strength", "4");
      in(store, ARABIC);
      store.startAll(services);
      StoreHttpClient shop = store.http("frontend");
      await(() -> shop.management("/health").status() == 200);
      var seller = MarketplaceClient.seller(shop, "sue").register();
      var buyer = MarketplaceClient.buyer(shop, "bob").register();
      long item = seller.addItem("Großer Drache", 1250, 9200);
      String account = exchangeAccount(buyer);
      List<Reply> first = changes(shop, buyer, item, account);
      assertThat(first).extracting(Reply::status).containsExactly(200, 201, 201);
      assertThat(first.getFirst().body()).isEqualTo("{\"data\":{\"order_number\":0}}");
      assertPagesHaveLatinDigits(shop);

      assertThat(
              RestoredMarketplaceIT.toystore(
                  "backup", folder.resolve("backup"), folder.resolve("data"), ARABIC))
          .startsWith("backed up ");

      for (String service : services) {
        store.stop(service);
      }
      in(store, ENGLISH);
      store.startAll(services);
      await(() -> shop.management("/health").status() == 200);
      List<Reply> repeated = changes(shop, buyer.login(), item, account);
      assertThat(repeated)
          .extracting(Reply::body)
          .isEqualTo(first.stream().map(Reply::body).toList());
      assertThat(repeated)
          .allSatisfy(it -> assertThat(it.header("Idempotency-Replayed")).containsExactly("true"));
      assertThat(buyer.purchases()).hasSize(1);
      assertThat(seller.login().send("GET", "/api/sellers/items", "", "unused").body())
          .contains("\"item_name\":\"Großer Drache\"", "\"price\":12.5", "\"quantity\":9198");
      await(() -> shop.failedChecks().isEmpty());
    }
  }

  private static void in(StoreProcesses store, String... locale) {
    StoreProcesses.SERVICES.forEach(it -> store.withJvm(it, locale));
  }

  private static String exchangeAccount(MarketplaceClient buyer) throws IOException {
    Reply opened =
        buyer.send("POST", "/api/exchange/accounts", "{\"balance\":\"1000.50\"}", "account");
    assertThat(opened.status()).as(opened.body()).isEqualTo(201);
    String account = "/api/exchange/accounts/" + opened.json().at("/account/account_id").asLong();
    Reply shares =
        buyer.send("POST", account + "/shares", "{\"symbol\":\"DRAGON\",\"shares\":1}", "shares");
    assertThat(shares.status()).as(shares.body()).isEqualTo(201);
    return account;
  }

  /// A buy, a purchase and an order of the exchange, each with the same key in every call.
  private static List<Reply> changes(
      StoreHttpClient shop, MarketplaceClient buyer, long item, String account) throws IOException {
    Reply sold =
        shop.post("/orders", "{\"name\":\"Tux\",\"quantity\":1234}", "Idempotency-Key", "the buy");
    buyer.addToCart(item, 2);
    Reply purchased = buyer.purchase(MarketplaceClient.GOOD_CARD, "the purchase");
    Reply ordered =
        buyer.send(
            "POST",
            account + "/orders",
            "{\"symbol\":\"DRAGON\",\"side\":\"buy\",\"shares\":\"10.5\",\"limit\":\"2.25\"}",
            "the order");
    return List.of(sold, purchased, ordered);
  }

  private static void assertPagesHaveLatinDigits(StoreHttpClient shop) throws IOException {
    for (String path : List.of("/", "/search?q=tux", "/products/Tux", "/orders/0")) {
      Reply page = shop.get(path, "Accept", "text/html");
      assertThat(page.body()).as(path).doesNotContainPattern("[\\u0660-\\u0669]");
    }
  }
}
