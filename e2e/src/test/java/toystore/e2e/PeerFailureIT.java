package toystore.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static toystore.clients.Conditions.await;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import toystore.clients.HttpBuyers;
import toystore.clients.StoreHttpClient;
import toystore.clients.StoreProcesses;

/// Under load, one service is frozen (SIGSTOP: its connections stay open and nothing answers),
/// slow, or killed. No request waits past the deadline; soon requests fail immediately; requests
/// that do not need the service succeed; and when the service works again, all requests succeed.
///
/// The limits here are far above the values on an idle machine.
@Tag("long")
class PeerFailureIT {
  private static final Duration SECOND = Duration.ofSeconds(1);
  private static final Duration DEADLINE = Duration.ofSeconds(3);
  private static final Duration STALL = Duration.ofSeconds(2);
  private static final Duration FAULT_DURATION = Duration.ofSeconds(11);
  private static final Duration RECOVERED_WITHIN = Duration.ofSeconds(5);
  private static final Duration STABLE_FOR = SECOND;
  private static final List<String> ALL = List.of("query", "buy", "order");

  @TempDir static Path folder;
  private static @Nullable StoreProcesses started;
  private static long sold;

  private final StoreProcesses store = Objects.requireNonNull(started);
  private final StoreHttpClient http = store.http("frontend");

  @BeforeAll
  static void start() throws IOException {
    started = StoreProcesses.start(folder, "catalog", "order", "frontend");
  }

  @AfterAll
  static void stop() {
    if (started != null) {
      started.close();
    }
  }

  @ParameterizedTest
  @CsvSource({"frozen,catalog", "frozen,order", "killed,catalog", "killed,order"})
  void requestsMeetDeadlineWhenServiceDoesNotAnswer(String fault, String service) throws Exception {
    var measured =
        measure(
            service + " is " + fault,
            fault.equals("frozen") ? frozen(service) : killed(service),
            FAULT_DURATION,
            true);
    measured.failsFast("buy", "order"); // an order is read from the catalog
    if (service.equals("catalog")) {
      measured.failsFast("query");
    } else {
      measured.isUnaffected("query");
    }
    measured.hasRecovered();
  }

  /// As on a machine with too little CPU or a slow disk: it costs time, and no request.
  @ParameterizedTest
  @ValueSource(strings = {"catalog", "order"})
  void requestsOutlastAStall(String service) throws Exception {
    var measured = measure(service + " stands still", frozen(service), STALL, false);
    ALL.forEach(measured::isUnaffected);
  }

  @Test
  void requestsMeetDeadlineWhenCatalogIsSlow() throws Exception {
    var measured =
        measure("the catalog runs a tenth of the time", slow("catalog"), FAULT_DURATION, false);
    measured.meetsDeadline("query", "buy");
    measured.hasRecovered();
  }

  private interface Step {
    void run() throws IOException, InterruptedException;
  }

  private record Fault(Step inject, Step heal) {}

  private Fault frozen(String service) {
    return new Fault(() -> store.freeze(service), () -> store.thaw(service));
  }

  private Fault killed(String service) {
    return new Fault(
        () -> store.kill(service),
        () -> {
          store.start(service);
          await(http::isReady);
        });
  }

  private Fault slow(String service) {
    var over = new AtomicBoolean();
    Thread thread = Thread.ofVirtual().unstarted(() -> freezeRepeatedly(service, over));
    return new Fault(
        thread::start,
        () -> {
          over.set(true);
          thread.join();
        });
  }

  private void freezeRepeatedly(String service, AtomicBoolean over) {
    try {
      while (!over.get()) {
        store.freeze(service);
        LockSupport.parkNanos(Duration.ofMillis(450).toNanos());
        store.thaw(service);
        LockSupport.parkNanos(Duration.ofMillis(50).toNanos());
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private Measurement measure(String what, Fault fault, Duration duration, boolean expectUnready)
      throws Exception {
    try (var buyers = new HttpBuyers(folder, sold, http).buying(8)) {
      await(() -> buyers.bought() > 100);
      buyers.asking(4, "query", "/products/Tux").asking(4, "order", "/orders/0");

      Duration from = buyers.now();
      fault.inject.run();
      await(() -> buyers.now().compareTo(from.plus(duration)) > 0);
      assertThat(http.isAlive()).isTrue();
      assertThat(expectUnready && http.isReady()).as("readiness while " + what).isFalse();
      Duration to = buyers.now();
      fault.heal.run();
      Duration over = buyers.now();
      Duration latest = over.plus(RECOVERED_WITHIN).plus(STABLE_FOR);
      await(() -> isStable(buyers, over) || buyers.now().compareTo(latest) > 0);
      Duration end = buyers.now();
      buyers.stop();
      sold += buyers.bought();

      var measured = new Measurement(buyers, from, to, end);
      buyers.checkAgainst(http);
      return measured;
    }
  }

  /// The results of the buyers' requests.
  ///
  /// @param from start of the fault
  /// @param to just before the end of the fault
  private record Measurement(HttpBuyers buyers, Duration from, Duration to, Duration end) {

    void failsFast(String... kinds) {
      meetsDeadline(kinds);
      for (String kind : kinds) {
        var later = buyers.requests(kind, from.plus(DEADLINE.multipliedBy(2)), to.minus(DEADLINE));
        assertThat(median(later))
            .as("median time of %s after the breaker opened", kind)
            .isLessThan(DEADLINE.dividedBy(4));
        assertThat(statuses(later)).as(kind).containsKey(503).doesNotContainKey(200);
      }
    }

    void meetsDeadline(String... kinds) {
      for (String kind : kinds) {
        var all = buyers.requests(kind, from, to);
        assertThat(all)
            .allMatch(
                it -> it.took().compareTo(DEADLINE.multipliedBy(2)) < 0, "takes < 2 deadlines");
        assertThat(statuses(all).keySet()).as(kind).isNotEmpty().isSubsetOf(200, 503, 504);
      }
    }

    /// Of requests that were under way, too: during a stall, a client may begin no other.
    void isUnaffected(String kind) {
      var underWay =
          buyers.requests(kind, Duration.ZERO, to).stream()
              .filter(it -> it.at().plus(it.took()).compareTo(from) > 0)
              .toList();
      assertThat(statuses(underWay)).as(kind).containsOnlyKeys(200);
    }

    void hasRecovered() {
      for (String kind : ALL) {
        assertThat(statuses(buyers.requests(kind, end.minus(STABLE_FOR), end)))
            .as(kind + " afterwards")
            .containsOnlyKeys(200);
      }
    }
  }

  /// Whether all requests since `since` succeeded for a while, with some of each kind.
  private static boolean isStable(HttpBuyers buyers, Duration since) {
    Duration from = buyers.now().minus(STABLE_FOR);
    return from.compareTo(since) >= 0
        && ALL.stream()
            .map(kind -> statuses(buyers.requests(kind, from, buyers.now())).keySet())
            .allMatch(Set.of(200)::equals);
  }

  private static Duration median(List<HttpBuyers.Timed> requests) {
    return requests.stream()
        .map(HttpBuyers.Timed::took)
        .sorted()
        .skip(requests.size() / 2)
        .findFirst()
        .orElse(Duration.ZERO);
  }

  private static Map<Integer, Long> statuses(List<HttpBuyers.Timed> requests) {
    return requests.stream()
        .collect(
            Collectors.groupingBy(HttpBuyers.Timed::status, TreeMap::new, Collectors.counting()));
  }
}
