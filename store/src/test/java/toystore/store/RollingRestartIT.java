package toystore.store;

import static org.assertj.core.api.Assertions.assertThat;
import static toystore.torture.StoreProcesses.await;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import toystore.torture.Shoppers;
import toystore.torture.StoreProcesses;

/// Every service is stopped (SIGTERM) and started again, one after the other, while customers buy
/// at two frontends.
@Timeout(240)
class RollingRestartIT {
  private static final int STOPPED_BY_SIGTERM = 128 + 15;

  @TempDir Path folder;

  /// Started in the order in which nobody finds what it needs.
  @Test
  void aRollingRestartLosesNothingAndAnswersEveryKeyedRequest() throws Exception {
    try (var store = StoreProcesses.start(folder, "frontend", "frontend2", "order", "catalog");
        var shoppers =
            new Shoppers(folder, 0, store.http("frontend"), store.http("frontend2")).buying(8)) {
      for (String service : List.of("frontend", "frontend2", "order", "catalog")) {
        long before = shoppers.bought();
        await(() -> shoppers.bought() > before + 50);
        assertThat(store.stop(service)).as(service).isEqualTo(STOPPED_BY_SIGTERM);
        store.start(service);
        await(store.http("frontend")::isReady);
        await(store.http("frontend2")::isReady);
      }
      shoppers.leave();
      shoppers.checkAgainst(store.http("frontend"));
      System.out.printf(
          "%d buys acknowledged, every service restarted in turn, nothing lost%n",
          shoppers.bought());
    }
  }
}
