package toystore.torture;

import static toystore.torture.StoreProcesses.await;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Three real processes, killed in the middle of buys, and started again. Clients repeat with their
/// keys until they have an answer, and what they were answered is the judge.
@Timeout(240)
class KilledStoreIT {
  @TempDir Path folder;

  @Test
  void nothingAcknowledgedIsLostWhoeverIsKilledInTheMiddleOfBuys() throws Exception {
    try (var store = StoreProcesses.start(folder, "catalog", "order", "frontend");
        var shoppers = new Shoppers(folder, 0, store.http("frontend")).buying(8)) {
      Http http = store.http("frontend");
      for (String victim : List.of("catalog", "order", "frontend", "catalog")) {
        long before = shoppers.bought();
        await(() -> shoppers.bought() > before + 50);
        store.kill(victim);
        store.start(victim);
        await(http::isReady);
      }
      shoppers.leave();
      shoppers.checkAgainst(http);
      System.out.printf(
          "%d buys acknowledged, 4 processes killed, nothing lost%n", shoppers.bought());
    }
  }
}
