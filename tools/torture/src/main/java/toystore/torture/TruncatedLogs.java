package toystore.torture;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import toystore.clients.Conditions;
import toystore.clients.MarketplaceClient;
import toystore.clients.StoreHttpClient;
import toystore.clients.StoreProcesses;
import toystore.torture.trial.TrialRound;

/// Catalog and order service are killed, and the end of the catalog's log is lost, as after a cut
/// between two commits. SQLite cannot detect this. The order service knows the last purchase: it
/// must refuse purchases and report why.
final class TruncatedLogs {
  private static final int PURCHASES = 10;

  private TruncatedLogs() {}

  static long round(TrialRound round) throws Exception {
    int kept = new Random(round.seed()).nextInt(1, PURCHASES);
    try (var store =
        StoreProcesses.start(
            round.folder(), "catalog", "account", "payment", "order", "frontend")) {
      StoreHttpClient http = store.http("frontend");
      long item = MarketplaceClient.seller(http, "sue").register().addItem("Kite", 250, 1_000);
      var buyer = MarketplaceClient.buyer(http, "bob").register();
      for (int i = 0; i < PURCHASES; i++) {
        if (i == kept) {
          FlippedBits.copy(round.folder().resolve("data/catalog"), round.folder());
        }
        buyer.addToCart(item, 1);
        assertThat(buyer.purchase(MarketplaceClient.GOOD_CARD, "key-" + i).status()).isEqualTo(201);
      }
      store.kill("catalog");
      store.kill("order");
      FlippedBits.copy(round.folder(), round.folder().resolve("data/catalog"));
      store.start("catalog");
      store.start("order");
      Conditions.await(() ->
          store.status("order").getReasonsList().stream()
              .anyMatch(it -> it.contains("the last sale of a purchase is " + (PURCHASES - 1))));
      buyer.addToCart(item, 1);
      String card = MarketplaceClient.card(MarketplaceClient.GOOD_CARD);
      Conditions.await(() ->
          buyer.send("POST", "/api/purchases", card, "later").body().contains("CATALOG_BEHIND"));
    }
    return 1;
  }
}
