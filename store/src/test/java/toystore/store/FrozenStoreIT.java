package toystore.store;

import static org.assertj.core.api.Assertions.assertThat;
import static toystore.store.StoreProcesses.await;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// A service is stopped as it is (SIGSTOP) under load: its connections stay open and nothing
/// answers. Nobody waits past the deadline, soon nobody waits at all, and what needs the others
/// alone goes on.
///
/// The bounds here are far from what is seen on a quiet machine, which each test prints.
@Timeout(240)
class FrozenStoreIT {
  private static final Duration DEADLINE = Duration.ofSeconds(1);
  private static final Duration FROZEN = Duration.ofSeconds(5);
  private static final Duration RECOVERED_WITHIN = Duration.ofSeconds(5);

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
  void aFrozenCatalogHoldsNobodyUp() throws Exception {
    freeze("catalog", List.of("query", "buy"), List.of("order"));
  }

  @Test
  void aFrozenOrderServiceHoldsNobodyUp() throws Exception {
    freeze("order", List.of("buy", "order"), List.of("query"));
  }

  private void freeze(String service, List<String> suffer, List<String> goOn) throws Exception {
    try (var shoppers = new Shoppers(http).buying(8)) {
      await(() -> shoppers.bought() > 200);
      shoppers.asking(4, "query", "/products/Tux").asking(4, "order", "/orders/0");
      pass(shoppers, shoppers.now().plus(DEADLINE));

      Duration frozen = shoppers.now();
      store.freeze(service);
      pass(shoppers, frozen.plus(FROZEN));
      assertThat(http.isReady()).as("ready without " + service).isFalse();
      assertThat(http.isAlive()).isTrue();
      Duration thawed = shoppers.now();
      store.thaw(service);
      pass(shoppers, thawed.plus(RECOVERED_WITHIN).plus(DEADLINE));
      Duration end = shoppers.now();
      shoppers.leave();
      print(service, shoppers, frozen, thawed, end);

      for (String kind : suffer) {
        var all = shoppers.visits(kind, frozen, thawed);
        assertThat(all).as(kind).isNotEmpty();
        assertThat(longest(all)).as("the longest " + kind).isLessThan(DEADLINE.multipliedBy(2));
        var later =
            shoppers.visits(kind, frozen.plus(DEADLINE.multipliedBy(2)), thawed.minus(DEADLINE));
        assertThat(median(later)).as("soon at once: " + kind).isLessThan(DEADLINE.dividedBy(4));
        assertThat(statuses(later)).as(kind).containsKey(503).doesNotContainKeys(0, 200, 500);
      }
      for (String kind : goOn) {
        assertThat(statuses(shoppers.visits(kind, frozen, thawed))).as(kind).containsOnlyKeys(200);
      }
      for (String kind : List.of("query", "buy", "order")) {
        assertThat(statuses(shoppers.visits(kind, thawed.plus(RECOVERED_WITHIN), end)))
            .as(kind + " after it goes on")
            .containsOnlyKeys(200);
      }
      shoppers.checkAgainst(http);
    }
  }

  private static void pass(Shoppers shoppers, Duration until) throws IOException {
    await(() -> shoppers.now().compareTo(until) > 0);
  }

  private static Duration longest(List<Shoppers.Visit> visits) {
    return visits.stream().map(Shoppers.Visit::took).max(Duration::compareTo).orElse(Duration.ZERO);
  }

  private static Duration median(List<Shoppers.Visit> visits) {
    return visits.stream()
        .map(Shoppers.Visit::took)
        .sorted()
        .skip(visits.size() / 2)
        .findFirst()
        .orElse(Duration.ZERO);
  }

  private static Map<Integer, Long> statuses(List<Shoppers.Visit> visits) {
    return visits.stream()
        .collect(
            Collectors.groupingBy(Shoppers.Visit::status, TreeMap::new, Collectors.counting()));
  }

  private static void print(
      String service, Shoppers shoppers, Duration frozen, Duration thawed, Duration end) {
    System.out.printf(
        "%s is frozen at 0 s and goes on at %.1f s%n",
        service, thawed.minus(frozen).toMillis() / 1e3);
    System.out.println("second  kind   answers by status          p50 ms   longest ms");
    for (var from = frozen.minus(DEADLINE); from.compareTo(end) < 0; from = from.plus(DEADLINE)) {
      for (String kind : List.of("query", "buy", "order")) {
        var visits = shoppers.visits(kind, from, from.plus(DEADLINE));
        System.out.printf(
            "%6d  %-5s  %-25s %8.1f %12.1f%n",
            from.minus(frozen).toSeconds(),
            kind,
            statuses(visits),
            median(visits).toNanos() / 1e6,
            longest(visits).toNanos() / 1e6);
      }
    }
  }
}
