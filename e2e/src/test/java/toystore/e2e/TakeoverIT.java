package toystore.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static toystore.clients.Conditions.await;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import toystore.clients.HttpTestClient.Reply;
import toystore.clients.StoreProcesses;
import toystore.testkit.PostgresCluster;

/// Two processes of the catalog on one schema of PostgreSQL. The active one is killed (SIGKILL).
@Tag("long")
@Timeout(240)
class TakeoverIT {
  @TempDir Path folder;

  @Test
  void standbyTakesOverAndTheKilledProcessBecomesTheStandby() throws Exception {
    try (var store = new StoreProcesses(folder)) {
      String url = PostgresCluster.database("takeover");
      String both =
          StoreProcesses.target(store.port("catalog")) + ",127.0.0.1:" + store.port("catalog2");
      for (String service : List.of("catalog", "order")) {
        store
            .with(service, "toystore.database", url)
            .with(service, "toystore.database-user", "postgres");
      }
      store.with("order", "toystore.order.catalog-target", both);
      store.with("frontend", "toystore.frontend.catalog-target", both);
      store.startAll("catalog", "order", "frontend");
      store.start("catalog2");
      await(() -> isStandby(store, "catalog2"));
      assertThat(buy(store, "first").body()).isEqualTo("{\"data\":{\"order_number\":0}}");

      store.kill("catalog");
      long killed = System.nanoTime();
      await(() -> buy(store, "second").status() == 200);
      var pause = Duration.ofNanos(System.nanoTime() - killed);
      System.out.printf(Locale.ROOT, "%d ms from the kill to the next buy%n", pause.toMillis());
      assertThat(buy(store, "second").body()).isEqualTo("{\"data\":{\"order_number\":1}}");

      store.start("catalog");
      await(() -> isStandby(store, "catalog"));
      assertThat(buy(store, "third").body()).isEqualTo("{\"data\":{\"order_number\":2}}");
      assertThat(store.http("frontend").audit().body()).startsWith("{\"ok\":true");
    }
  }

  private static boolean isStandby(StoreProcesses store, String name) throws IOException {
    return store.http(name).isAlive()
        && store
            .http(name)
            .management("/health/readiness")
            .body()
            .contains("\"reason\":\"standby\"");
  }

  private static Reply buy(StoreProcesses store, String key) throws IOException {
    return store
        .http("frontend")
        .post("/orders", "{\"name\":\"Tux\",\"quantity\":1}", "Idempotency-Key", key);
  }
}
