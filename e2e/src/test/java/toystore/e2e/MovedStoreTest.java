package toystore.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static toystore.e2e.MarketplaceStore.CARD;
import static toystore.e2e.MarketplaceStore.send;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.core.env.MapPropertySource;
import org.springframework.core.env.StandardEnvironment;
import toystore.platform.service.StoreServiceDescriptor;
import toystore.store.StoreApplication;
import toystore.store.StoreMove;
import toystore.testkit.PostgresCluster;

/// A store with sales of each kind is moved to PostgreSQL, runs there, and is moved back.
@Timeout(300)
class MovedStoreTest {
  private static final String USER = "toystore.database-user";

  @TempDir Path folder;

  @Test
  void movedStoreHasEverythingAndContinuesItsNumbers() throws Exception {
    Path data = folder.resolve("data");
    Path back = folder.resolve("back");
    String url = PostgresCluster.database("moved");
    MarketplaceStore users;
    long item;
    String before;
    try (var market = MarketplaceStore.in(data)) {
      users = market;
      item = market.seller().addItem("Kite", 500, 10);
      market.buyer().addToCart(item, 2);
      assertThat(market.buyer().decided("POST", "/api/purchases", CARD).status()).isEqualTo(201);
      market.buyer().addToCart(item, 1);
      market.openExchangeAccount("IBM");
      before = changed(market, 0, item);
    }
    move(data.toString(), url);
    try (var market = at(StoreFixture.in(data, onPostgres(url)), users)) {
      assertThat(seen(market, item)).isEqualTo(before);
      refuses(url, back.toString(), " is used by a service; stop the store first");
      before = changed(market, 1, item);
    }
    refuses(data.toString(), url, "the target is not empty: ");
    for (StoreServiceDescriptor service : StoreApplication.descriptors()) { // as the launcher does
      Files.createDirectories(back.resolve(service.name()));
    }
    move(url, back.toString());
    try (var market = at(StoreFixture.in(back), users)) {
      assertThat(seen(market, item)).isEqualTo(before);
      changed(market, 2, item);
    }
  }

  /// Sells, changes a product, and compares all invariants.
  ///
  /// @param number the expected number of the order
  private static String changed(MarketplaceStore market, int number, long item) throws IOException {
    assertThat(market.store().buy("Tux").body())
        .isEqualTo("{\"data\":{\"order_number\":" + number + "}}");
    assertThat(
            market
                .store()
                .postAsAdministrator("/products/Tux/restock", "{\"quantity\":5}")
                .status())
        .isEqualTo(200);
    assertThat(market.store().http().audit().body()).startsWith("{\"ok\":true");
    return seen(market, item);
  }

  /// What customers see of the store.
  private static String seen(MarketplaceStore market, long item) throws IOException {
    var all = new StringBuilder(market.everything(item));
    for (String path :
        new String[] {"/products?limit=200", "/products?q=Tux", "/orders/0", "/stocks"}) {
      all.append(market.store().http().get(path).body()).append('\n');
    }
    String account = "/api/exchange/accounts/1";
    return all.append(send(market.buyer(), "GET", account, "").body()).toString();
  }

  /// The users, whose sessions go on, at a store that has them.
  private static MarketplaceStore at(StoreFixture store, MarketplaceStore users) {
    return new MarketplaceStore(
        store,
        users.seller().at(store.http()),
        users.otherSeller().at(store.http()),
        users.buyer().at(store.http()),
        users.otherBuyer().at(store.http()));
  }

  private static String[] onPostgres(String url) {
    return Stream.concat(
            Stream.of("--" + USER + "=postgres"),
            StoreApplication.descriptors().stream()
                .filter(StoreServiceDescriptor::database)
                .map(service -> "--" + service.prefix() + ".database=" + url))
        .toArray(String[]::new);
  }

  private static void refuses(String from, String to, String message) {
    assertThatThrownBy(() -> move(from, to)).hasMessageContaining(message);
  }

  private static void move(String from, String to) throws SQLException {
    var environment = new StandardEnvironment();
    environment
        .getPropertySources()
        .addFirst(new MapPropertySource("user", Map.of(USER, "postgres")));
    assertThat(StoreMove.move(from, to, environment).lines()).hasSize(5);
  }
}
