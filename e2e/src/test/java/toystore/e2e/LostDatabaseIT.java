package toystore.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static toystore.clients.Conditions.await;
import static toystore.clients.Conditions.patiently;
import static toystore.common.RootLocale.format;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import toystore.clients.FaultProxy;
import toystore.clients.RawClient;
import toystore.clients.StoreHttpClient;
import toystore.clients.StoreProcesses;
import toystore.testkit.PostgresCluster;

/// The active catalog, and the exchange, lose their database, as behind a firewall. Their callers
/// stay connected to them. The catalog has a standby, which takes over.
@Tag("long")
class LostDatabaseIT {
  private static final String ORDER = "{\"name\":\"Tux\",\"quantity\":1}";

  /// The server ends the silent session after 6 s; the standby begins to serve some seconds later.
  private static final Duration TAKEOVER = Duration.ofSeconds(60);

  /// From the readiness of the standby.
  private static final Duration FOUND = Duration.ofSeconds(2);

  @TempDir Path folder;

  @Test
  void callersFindTheStandbyAndNoOldStockIsShown() throws Exception {
    PostgresCluster.database("shop");
    try (var proxy = new FaultProxy(PostgresCluster.port(), 0, new SplittableRandom(1));
        var store =
            new StoreProcesses(folder)
                .withDatabase(
                    Map.of(
                        "catalog", url(proxy.port()),
                        "catalog2", url(PostgresCluster.port()),
                        "exchange", url(proxy.port())),
                    "postgres",
                    "x")) {
      int lines = store.port("catalog-lines");
      store.with("catalog", "toystore.catalog.line-port", Integer.toString(lines));
      store.with("catalog2", "toystore.catalog.line-port", "0");
      store.startAll("exchange", "catalog", "order", "frontend");
      store.start("catalog2");
      await(() -> store.isAlive("catalog2"));
      await(() -> store.isReady("exchange"));
      StoreHttpClient frontend = store.http("frontend");
      assertThat(frontend.post("/orders", ORDER).status()).isEqualTo(200);
      await(() -> stock(frontend) == StoreProcesses.TUX - 1);

      assertThat(RawClient.exchangeAll(lines, "Lookup,Tux\n")).isEqualTo("-1\n"); // no stock
      assertThat(create(store, 1)).contains("<created id=\"1\"");

      proxy.silence();
      await(() -> stock(frontend) < 0); // also from the cache of the frontend
      assertThat(RawClient.exchangeAll(lines, "Lookup,Tux\n"))
          .isEqualTo("error: this process does not serve; retry later, or at another address\n");
      await(() -> create(store, 2).contains("<error id=\"2\">"));
      patiently().atMost(TAKEOVER).until(() -> store.isReady("catalog2"));
      patiently().atMost(FOUND).until(() -> frontend.post("/orders", ORDER).status() == 200);
      assertThat(store.process("catalog").isAlive()).isTrue();
      assertThat(stock(frontend)).isEqualTo(StoreProcesses.TUX - 2);
      assertThat(frontend.post("/orders", ORDER).body()).contains("\"order_number\":2");
    }
  }

  private static String create(StoreProcesses store, int account) throws IOException {
    return RawClient.exchangeAll(
        store.port("exchange-xml"),
        RawClient.framed("<create><account id=\"" + account + "\" balance=\"1\"/></create>"));
  }

  private static String url(int port) {
    return format("jdbc:postgresql://127.0.0.1:%d/shop", port);
  }

  /// The stock that a query shows, or -1 if it is refused.
  private static long stock(StoreHttpClient frontend) throws IOException {
    var answer = frontend.get("/products/Tux");
    return answer.status() == 200
        ? Long.parseLong(answer.body().replaceAll(".*\"quantity\":(\\d+).*", "$1"))
        : -1;
  }
}
