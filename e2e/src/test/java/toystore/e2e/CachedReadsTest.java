package toystore.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static toystore.clients.Conditions.await;
import static toystore.common.RootLocale.format;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.context.ConfigurableApplicationContext;
import toystore.bazaar.v1.TradeRequest;
import toystore.bazaar.v1.TradeType;
import toystore.clients.FreePorts;
import toystore.clients.GrpcTestClient;
import toystore.clients.StoreHttpClient;
import toystore.clients.StoreHttpClient.Reply;

/// A frontend that answers queries from its product cache. Its services are in this JVM, but call
/// each other over TCP.
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class CachedReadsTest {
  private static final String TOKEN = "the-administrator-of-a-cache";
  private static final String[] ADMINISTRATOR = {"Authorization", "Bearer " + TOKEN};
  private static final String[] NO_CACHE = {"Cache-Control", "max-age=0, No-Cache"};
  private static final long VISIBLE_NANOS = TimeUnit.SECONDS.toNanos(1);

  private final int catalogPort = FreePorts.free();
  private final int orderPort = FreePorts.free();

  private Path folder;
  private ConfigurableApplicationContext catalog;
  private ConfigurableApplicationContext order;
  private ConfigurableApplicationContext frontend;
  private StoreHttpClient http;

  @BeforeAll
  void start(@TempDir Path temporary) {
    folder = temporary;
    startCatalog();
    order =
        StoreFixture.startOrderService(
            settings("--toystore.order.port=" + orderPort, target("order.catalog", catalogPort)));
    frontend =
        StoreFixture.startFrontend(
            "--toystore.data=" + folder,
            "--toystore.admin-token=" + TOKEN,
            "--toystore.deadline=20s",
            target("frontend.catalog", catalogPort),
            target("frontend.order", orderPort),
            "--toystore.frontend.account-target=",
            "--toystore.frontend.exchange-target=");
    http = StoreFixture.http(frontend);
    await(() -> http.isReady() && isCurrent(http));
  }

  private void startCatalog() {
    catalog = StoreFixture.startCatalog(settings("--toystore.catalog.port=" + catalogPort));
  }

  private List<String> settings(String... own) {
    var all = new ArrayList<>(List.of(own));
    all.add("--toystore.data=" + folder);
    all.add("--toystore.admin-token=" + TOKEN);
    return all;
  }

  private static String target(String of, int port) {
    return format("--toystore.%s-target=static://127.0.0.1:%d", of, port);
  }

  @AfterAll
  void stop() {
    frontend.close();
    order.close();
    catalog.close();
  }

  private static boolean isCurrent(StoreHttpClient http) throws IOException {
    return metric(http, "toystore_product_cache_current") == 1;
  }

  private static double hits(StoreHttpClient http) throws IOException {
    return metric(http, "cache_gets_total{cache=\"products\",result=\"hit\"");
  }

  private static double metric(StoreHttpClient http, String name) throws IOException {
    return http.metrics()
        .lines()
        .filter(line -> line.startsWith(name))
        .mapToDouble(line -> Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1)))
        .sum();
  }

  private static long quantity(StoreHttpClient http, String path, String... headers)
      throws IOException {
    return http.get(path, headers).json().at("/data/quantity").longValue();
  }

  private Reply asAdministrator(String method, String path, String body) throws IOException {
    return http.send(method, path, body, ADMINISTRATOR);
  }

  @Test
  void clientReadsItsOwnWritesAndRepeatedQueriesAreAnsweredFromTheCache() throws IOException {
    readsOwnOrders(http);
    String tux = "/products/Tux";
    long stock = quantity(http, tux);
    asAdministrator("POST", tux + "/restock", "{\"quantity\":7}");
    assertThat(quantity(http, tux)).isEqualTo(stock + 7);
    asAdministrator("PATCH", tux, "{\"price\":1.5}");
    assertThat(http.get(tux).body()).contains("\"price\":1.5,");
    asAdministrator("DELETE", tux, "");
    assertThat(http.get(tux).status()).isEqualTo(404);
    asAdministrator("POST", "/products", "{\"name\":\"Tux\",\"price\":2.0,\"quantity\":3}");
    assertThat(quantity(http, tux)).isEqualTo(3);
    assertThat(http.post("/orders", "{\"name\":\"Tux\",\"quantity\":9}").status()).isEqualTo(409);
    assertThat(quantity(http, tux)).isEqualTo(3);
  }

  private static void readsOwnOrders(StoreHttpClient http) throws IOException {
    String whale = "/products/Whale";
    long bird = quantity(http, "/products/Bird");
    long stock = quantity(http, whale);
    double before = hits(http);
    for (int sold = 1; sold <= 30; sold++) {
      String[] key = {"Idempotency-Key", "order-" + sold / 2}; // each second order is a replay
      String lines =
          "{\"lines\":[{\"name\":\"Whale\",\"quantity\":1},{\"name\":\"Bird\",\"quantity\":2}]}";
      assertThat(http.post("/orders", lines, key).status()).isEqualTo(200);
      int orders = sold / 2 + 1;
      assertThat(quantity(http, whale)).isEqualTo(stock - orders);
      assertThat(quantity(http, "/products/Bird")).isEqualTo(bird - 2 * orders);
      assertThat(quantity(http, whale)).isEqualTo(stock - orders);
    }
    assertThat(hits(http)).isGreaterThan(before);
  }

  @Test
  void clientReadsItsOwnOrdersIfAllServicesAreInOneJvm() throws IOException {
    StoreHttpClient together = SharedStore.open().store().http();
    await(() -> isCurrent(together));
    readsOwnOrders(together);
  }

  @Test
  void cachedAnswerIsThatOfTheCatalog() throws IOException {
    for (String path : List.of("/products/Tux", "/stocks/FishCo", "/stocks?stockname=FishCo")) {
      await(() -> {
        Reply read = http.get(path, NO_CACHE);
        double before = hits(http);
        Reply cached = http.get(path);
        assertThat(cached.body()).isEqualTo(read.body());
        assertThat(headers(cached)).isEqualTo(headers(read));
        return hits(http)
            == before + 1; // not if the event of an earlier test's change came between
      });
      double before = hits(http);
      http.get(path, NO_CACHE);
      assertThat(hits(http)).as(path).isEqualTo(before);
    }
    assertThat(http.get("/stocks/Tux").status()).isEqualTo(404);
  }

  private static TreeMap<String, List<String>> headers(Reply reply) {
    var headers = new TreeMap<>(reply.response().headers().map());
    headers.keySet().removeAll(List.of("date", "traceparent"));
    return headers;
  }

  @Test
  void changeOverGrpcIsSeenWithinOneSecond() throws IOException {
    String path = "/stocks/GameStart";
    try (var client = new GrpcTestClient(catalogPort)) {
      for (int traded = 1; traded <= 10; traded++) {
        long stock = quantity(http, path);
        client
            .bazaar()
            .trade(
                TradeRequest.newBuilder()
                    .setName("GameStart")
                    .setQuantity(1)
                    .setType(TradeType.BUY)
                    .build());
        long changed = System.nanoTime();
        long begun = changed;
        while (quantity(http, path) != stock - 1) {
          assertThat(begun - changed).isLessThan(VISIBLE_NANOS);
          begun = System.nanoTime();
        }
      }
    }
  }

  @Test
  void cacheIsUsedAgainAfterTheCatalogRestarted() throws IOException {
    String tux = "/products/Tux";
    long stock = quantity(http, tux);
    for (int restart = 1; restart <= 2; restart++) {
      catalog.close();
      assertThat(http.get(tux).status()).isEqualTo(503);
      startCatalog();
      String buy = "{\"name\":\"Tux\",\"quantity\":1}";
      await(() -> http.post("/orders", buy).status() == 200);
      await(() -> http.get(tux).status() == 200); // the frontend's own connection may come later
      assertThat(quantity(http, tux)).isEqualTo(stock - restart);
      awaitHit(tux, stock - restart);
    }
  }

  private void awaitHit(String path, long quantity) throws IOException {
    double before = hits(http);
    await(() -> {
      assertThat(quantity(http, path)).isEqualTo(quantity);
      return hits(http) > before;
    });
  }
}
