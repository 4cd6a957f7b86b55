package toystore.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static toystore.clients.Conditions.await;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import toystore.clients.HttpBuyers;
import toystore.clients.StoreProcesses;

/// Every service is restarted (SIGTERM), one after the other, while customers buy at two frontends.
@Tag("long")
class RollingRestartIT {
  private static final int STOPPED_BY_SIGTERM = 128 + 15;

  @TempDir Path folder;

  /// In reverse order of dependency, so that no service finds its peers at startup.
  @Test
  void rollingRestartLosesNothingAndAnswersEveryKeyedRequest() throws Exception {
    try (var store = StoreProcesses.start(folder, "frontend", "frontend2", "order", "catalog");
        var buyers =
            new HttpBuyers(folder, 0, store.http("frontend"), store.http("frontend2")).buying(8)) {
      for (String service : List.of("frontend", "frontend2", "order", "catalog")) {
        long before = buyers.bought();
        await(() -> buyers.bought() > before + 50);
        assertThat(store.stop(service)).as(service).isEqualTo(STOPPED_BY_SIGTERM);
        store.start(service);
        await(store.http("frontend")::isReady);
        await(store.http("frontend2")::isReady);
      }
      buyers.stop();
      buyers.checkAgainst(store.http("frontend"));
      System.out.printf(
          Locale.ROOT,
          "%d buys acknowledged, every service restarted in turn, nothing lost%n",
          buyers.bought());
    }
  }

  /// Before the gRPC port is open, and while the state is loaded.
  @Test
  void stopDuringAStartIsNoFailure() throws Exception {
    var log = StoreProcesses.log("exchange");
    Files.deleteIfExists(log);
    try (var store = new StoreProcesses(folder)) {
      for (String line : List.of("gRPC port", "gRPC Server started")) {
        store.start("exchange");
        await(() -> Files.readString(log).contains(line));
        assertThat(store.stop("exchange")).as(line).isEqualTo(STOPPED_BY_SIGTERM);
      }
    }
    assertThat(Files.readString(log)).doesNotContain("startup failed");
  }
}
