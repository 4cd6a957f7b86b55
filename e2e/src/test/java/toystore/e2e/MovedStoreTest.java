package toystore.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static toystore.clients.Conditions.await;
import static toystore.e2e.MarketplaceStore.CARD;
import static toystore.e2e.MarketplaceStore.send;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.core.env.Environment;
import org.springframework.core.env.MapPropertySource;
import org.springframework.core.env.StandardEnvironment;
import toystore.platform.service.StoreServiceDescriptor;
import toystore.store.StoreApplication;
import toystore.store.StoreLocation;
import toystore.store.StoreMove;
import toystore.testkit.PostgresCluster;

/// A store with sales of each kind is moved to PostgreSQL, runs there, and is moved back.
class MovedStoreTest {
  private static final String USER = "toystore.database-user";

  @TempDir Path folder;

  @Test
  void movedStoreHasEverythingAndContinuesItsNumbers() throws Exception {
    move(false);
  }

  @Test
  @Tag("long")
  void storeThatWasMovedBackHasEverythingAndContinuesItsNumbers() throws Exception {
    move(true);
  }

  private void move(boolean isMovedBack) throws Exception {
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
      assertThat(market.buyer().sendUntilDecided("POST", "/api/purchases", CARD).status())
          .isEqualTo(201);
      market.buyer().addToCart(item, 1);
      market.openExchangeAccount("IBM");
      before = changed(market, 0, item);
    }
    Files.writeString(data.resolve("store-id"), UUID.randomUUID() + "\n"); // as the launcher does
    move(data.toString(), url);
    refusesAnotherStore(data, url);
    try (var market = at(StoreFixture.in(data, onPostgres(url)), users)) {
      assertThat(seen(market, item)).isEqualTo(before);
      refuses(url, back.toString(), " is used by a service; stop the store first");
      before = changed(market, 1, item);
    }
    refuses(data.toString(), url, "the target is not empty: ");
    if (!isMovedBack) {
      return;
    }
    for (StoreServiceDescriptor service : StoreApplication.descriptors()) { // as the launcher does
      Files.createDirectories(back.resolve(service.name()));
    }
    moveBesideAnOpenTransaction(url, back.toString());
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
    return new String[] {"--" + USER + "=postgres", "--toystore.database=" + url};
  }

  private static void refuses(String from, String to, String message) {
    assertThatThrownBy(() -> move(from, to)).hasMessageContaining(message);
  }

  /// The schemas have the identity of the folder that was moved, and of no other.
  private void refusesAnotherStore(Path data, String url) throws IOException, SQLException {
    Path other = Files.createDirectory(folder.resolve("other data"));
    Files.writeString(other.resolve("store-id"), UUID.randomUUID().toString());
    String owner = "belongs to the store of data folder " + data + " at 127.0.0.1, not to that of ";
    assertThatThrownBy(() -> StoreFixture.starting(other, onPostgres(url)))
        .rootCause()
        .hasMessageContaining(owner + "data folder " + other);
    StoreLocation.check(data, "jdbc:postgresql://old/moved", url, user());
    assertThatThrownBy(() -> StoreLocation.check(other, "jdbc:postgresql://old/moved", url, user()))
        .hasMessageContaining(owner);
    assertThatThrownBy(() ->
            StoreLocation.check(data, url, PostgresCluster.database("empty") + "?a=b", user()))
        .hasMessageStartingWith(
            "the store of data folder %s is in %s, and database %s does not contain it; ",
            data, url, url.replace("moved", "empty"));
  }

  /// Somebody's transaction has read a table, which a move to another place needs to itself.
  private static void moveBesideAnOpenTransaction(String url, String to) throws Exception {
    var lines = new ConcurrentLinkedQueue<String>();
    CompletableFuture<Void> move;
    try (Connection reader =
            DriverManager.getConnection(url + "?ApplicationName=monthly%20report", "postgres", "");
        Statement statement = reader.createStatement()) {
      reader.setAutoCommit(false);
      statement.execute("SELECT * FROM account.writer");
      int pid = number(statement, "SELECT pg_backend_pid()");
      move =
          CompletableFuture.runAsync(() -> {
            try {
              StoreMove.move(url, to, user(), lines::add);
            } catch (SQLException e) {
              throw new CompletionException(e);
            }
          });
      await(MovedStoreTest::hasWaitedLong);
      assertThat(lines)
          .anySatisfy(line ->
              assertThat(line)
                  .startsWith(
                      "opening and locking the databases; waiting until the transaction ends of session "
                          + pid
                          + " (application \"monthly report\", user postgres), in a transaction since 20"));
    }
    move.get(60, TimeUnit.SECONDS);
    assertThat(lines).filteredOn(it -> it.contains("sum of checksums")).hasSize(5);
  }

  /// Longer than a writer waits for an answer of the server.
  private static boolean hasWaitedLong() throws SQLException {
    try (Connection connection = PostgresCluster.connect();
        Statement statement = connection.createStatement()) {
      return number(
              statement,
              "SELECT count(*) FROM pg_locks WHERE NOT granted AND waitstart < now() - interval '6 s'")
          > 0;
    }
  }

  private static int number(Statement statement, String query) throws SQLException {
    try (ResultSet row = statement.executeQuery(query)) {
      row.next();
      return row.getInt(1);
    }
  }

  private static void move(String from, String to) throws SQLException {
    StoreMove.move(from, to, user(), _ -> {});
  }

  private static Environment user() {
    var environment = new StandardEnvironment();
    environment
        .getPropertySources()
        .addFirst(new MapPropertySource("user", Map.of(USER, "postgres")));
    return environment;
  }
}
