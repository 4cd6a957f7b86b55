package toystore.store;

import static org.assertj.core.api.Assertions.assertThat;
import static toystore.store.StoreProcesses.await;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Three real processes, killed in the middle of buys, and started again. Clients repeat with their
/// keys until they have an answer, and what they were answered is the judge.
@Timeout(240)
class KilledStoreIT {
  @TempDir Path folder;
  private StoreProcesses store;
  private Http http;

  @BeforeEach
  void start() throws IOException {
    store = StoreProcesses.start(folder, "catalog", "order", "frontend");
    http = store.http("frontend");
  }

  @AfterEach
  void stop() {
    store.close();
  }

  @Test
  void nothingAcknowledgedIsLostWhoeverIsKilledInTheMiddleOfBuys() throws Exception {
    try (var shoppers = new Shoppers(http).buying(8)) {
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

  @Test
  void aFrontendWhoseCatalogIsAwayAnswersPromptlyAndRecovers() throws Exception {
    buyOne("first");
    store.kill("catalog");
    long begin = System.nanoTime();
    Http.Reply refused = http.post("/orders", "{\"name\":\"Tux\",\"quantity\":1}");
    assertThat(refused.status()).isIn(503, 504);
    assertThat(System.nanoTime() - begin).isLessThan(TimeUnit.SECONDS.toNanos(5));
    await(() -> http.post("/orders", "{\"name\":\"Tux\",\"quantity\":1}").status() == 503);
    Http.Reply surelyNot = http.post("/orders", "{\"name\":\"Tux\",\"quantity\":1}");
    assertThat(surelyNot.status()).isEqualTo(503);
    assertThat(surelyNot.header("Retry-After")).isNotEmpty();
    assertThat(http.get("/orders/0").status()).isEqualTo(200);

    store.start("catalog");
    await(http::isReady);
    await(() -> buyOne("second").status() == 200); // its way to the catalog is tried each second
    assertThat(buyOne("second").body()).isEqualTo("{\"data\":{\"order_number\":1}}");
  }

  private Http.Reply buyOne(String key) throws IOException {
    return http.post("/orders", "{\"name\":\"Tux\",\"quantity\":1}", "Idempotency-Key", key);
  }
}
