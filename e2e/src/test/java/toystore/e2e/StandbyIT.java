package toystore.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static toystore.testkit.Conditions.await;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import toystore.testkit.HttpBuyers;
import toystore.testkit.PostgresCluster;
import toystore.testkit.StoreProcesses;

/// The active process of a service on PostgreSQL is killed while customers buy, and its standby
/// takes over. `./toystore torture --only postgresql` also kills the nodes of a cluster.
@Tag("long")
@Timeout(240)
class StandbyIT {
  @TempDir Path folder;

  @Test
  void standbyTakesOverAndNothingIsLost() throws Exception {
    try (var store =
            new StoreProcesses(folder).withDatabase(PostgresCluster.database("standby"), "x");
        var buyers = new HttpBuyers(folder, 0, store.http("frontend"))) {
      store.startAll("catalog", "order", "frontend");
      for (String service : List.of("catalog", "order")) {
        await(store.http(service)::isReady);
        store.start(service + "2");
        await(store.http(service + "2")::isAlive);
        assertThat(store.http(service + "2").isReady()).as("a standby is ready").isFalse();
      }
      buyers.buying(4);
      for (String service : List.of("catalog", "order")) {
        long before = buyers.bought();
        await(() -> buyers.bought() > before + 20);
        store.kill(service);
        await(store.http(service + "2")::isReady);
      }
      long before = buyers.bought();
      await(() -> buyers.bought() > before + 20);
      buyers.stop();
      buyers.checkAgainst(store.http("frontend"));
    }
  }
}
