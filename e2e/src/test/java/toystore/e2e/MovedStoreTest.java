package toystore.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static toystore.e2e.MarketplaceStore.CARD;
import static toystore.e2e.MarketplaceStore.send;
import static toystore.e2e.StoreFixture.databaseUser;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import toystore.store.StoreLocation;
import toystore.store.StoreMove;
import toystore.testkit.PostgresCluster;

/// A store with sales of each kind is moved to PostgreSQL and runs there.
class MovedStoreTest {
  @TempDir Path folder;

  @Test
  void movedStoreHasEverythingAndContinuesItsNumbers() throws Exception {
    Path data = folder.resolve("data");
    String url = PostgresCluster.database("moved");
    MarketplaceStore users;
    long item;
    String before;
    try (var market = MarketplaceStore.in(data)) {
      users = market;
      item = market.seller().addItem("Kite", 500, 10);
      market.buyer().addToCart(item, 2);
      assertThat(market.buyer().sendUntilDecided("POST", "/api/purchases", CARD).status())
          .isEqualTo(201);
      market.buyer().addToCart(item, 1);
      market.openExchangeAccount("IBM");
      before = changed(market, 0, item);
      refuses(data, url, " is in use by another process");
    }
    Files.writeString(data.resolve("store-id"), UUID.randomUUID() + "\n"); // as the launcher does
    move(data, url);
    refusesAnotherStore(data, url);
    try (var market = at(StoreFixture.in(data, onPostgres(url)), users)) {
      assertThat(seen(market, item)).isEqualTo(before);
      refuses(data, url, " is used by a service; stop the store first");
      changed(market, 1, item);
    }
    refuses(data, url, "the target is not empty: ");
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
    return new String[] {"--toystore.database-user=postgres", "--toystore.database=" + url};
  }

  private static void refuses(Path from, String to, String message) {
    assertThatThrownBy(() -> move(from, to)).hasMessageContaining(message);
  }

  private static void move(Path from, String to) throws SQLException {
    StoreMove.move(from, to, databaseUser(), _ -> {});
  }

  /// The schemas have the identity of the folder that was moved, and of no other.
  private void refusesAnotherStore(Path data, String url) throws IOException, SQLException {
    Path other = Files.createDirectory(folder.resolve("other data"));
    Files.writeString(other.resolve("store-id"), UUID.randomUUID().toString());
    String owner = "belongs to the store of data folder " + data + " at 127.0.0.1, not to that of ";
    assertThatThrownBy(() -> StoreFixture.starting(other, onPostgres(url)))
        .rootCause()
        .hasMessageContaining(owner + "data folder " + other);
    StoreLocation.check(data, "jdbc:postgresql://old/moved", url, databaseUser());
    assertThatThrownBy(
            () -> StoreLocation.check(other, "jdbc:postgresql://old/moved", url, databaseUser()))
        .hasMessageContaining(owner);
    assertThatThrownBy(() ->
            StoreLocation.check(
                data, url, PostgresCluster.database("empty") + "?a=b", databaseUser()))
        .hasMessageStartingWith(
            "the store of data folder %s is in %s, and database %s does not contain it; ",
            data, url, url.replace("moved", "empty"));
  }
}
