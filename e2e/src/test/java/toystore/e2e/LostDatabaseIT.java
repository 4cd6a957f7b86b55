package toystore.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static toystore.clients.Conditions.await;
import static toystore.clients.Conditions.patiently;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Locale;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import toystore.clients.FaultProxy;
import toystore.clients.HttpTestClient;
import toystore.clients.StoreProcesses;
import toystore.testkit.PostgresCluster;

/// The active catalog alone loses its database, as behind a firewall. Its callers stay connected to
/// it, and its standby takes over.
@Tag("long")
@Timeout(240)
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
                    Map.of("catalog", url(proxy.port()), "catalog2", url(PostgresCluster.port())),
                    "postgres",
                    "x")) {
      store.startAll("catalog", "order", "frontend");
      store.start("catalog2");
      HttpTestClient standby = store.http("catalog2");
      await(standby::isAlive);
      HttpTestClient frontend = store.http("frontend");
      assertThat(frontend.post("/orders", ORDER).status()).isEqualTo(200);
      await(() -> stock(frontend) == StoreProcesses.TUX - 1);

      proxy.silence();
      await(() -> stock(frontend) < 0); // also from the cache of the frontend
      patiently().atMost(TAKEOVER).until(standby::isReady);
      patiently().atMost(FOUND).until(() -> frontend.post("/orders", ORDER).status() == 200);
      assertThat(store.process("catalog").isAlive()).isTrue();
      assertThat(stock(frontend)).isEqualTo(StoreProcesses.TUX - 2);
      assertThat(frontend.post("/orders", ORDER).body()).contains("\"order_number\":2");
    }
  }

  private static String url(int port) {
    return String.format(Locale.ROOT, "jdbc:postgresql://127.0.0.1:%d/shop", port);
  }

  /// The stock that a query shows, or -1 if it is refused.
  private static long stock(HttpTestClient frontend) throws IOException {
    var answer = frontend.get("/products/Tux");
    return answer.status() == 200
        ? Long.parseLong(answer.body().replaceAll(".*\"quantity\":(\\d+).*", "$1"))
        : -1;
  }
}
