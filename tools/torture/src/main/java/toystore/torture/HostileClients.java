package toystore.torture;

import static org.assertj.core.api.Assertions.assertThat;
import static toystore.common.RootLocale.format;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.assertj.core.api.SoftAssertions;
import toystore.clients.StoreHttpClient;
import toystore.torture.HostileConnections.Misuse;
import toystore.torture.trial.TrialRound;

/// Many clients that misuse HTTP, one kind after the other, while four regular clients buy and
/// query ten times per second each. At least 80 % of the regular requests must be answered within 2
/// s during the misuse, and all of them after it.
final class HostileClients {
  /// The connections of one round.
  static final int CONNECTIONS = Stream.of(Misuse.values()).mapToInt(it -> it.connections).sum();

  private static final int REGULAR_CLIENTS = 4;
  private static final Duration PAUSE = Duration.ofMillis(50);
  private static final Duration RESPONSE_TIMEOUT = Duration.ofSeconds(2);
  private static final Duration RECOVERY_TIME = Duration.ofSeconds(5);
  private static final double LEAST_SHARE = 0.8;

  private HostileClients() {}

  static long round(TrialRound round) throws Exception {
    String toys =
        IntStream.range(0, 250)
            .mapToObj(it -> format("Toy number %03d of many,12.50,1000\n", it))
            .collect(Collectors.joining());
    try (var store = Overload.start(round, toys)) {
      StoreHttpClient http = store.http("frontend");
      serve(http, Duration.ofSeconds(round.quick() ? 4 : 10), round.seed());
      var assertions = new SoftAssertions();
      for (Misuse misuse : Misuse.values()) {
        check(misuse, http, round, assertions);
      }
      assertions.assertAll();
      assertThat(http.failedChecks()).isEmpty();
      return CONNECTIONS;
    }
  }

  private static void check(
      Misuse misuse, StoreHttpClient http, TrialRound round, SoftAssertions assertions)
      throws InterruptedException {
    double during;
    try (var hostile = new HostileConnections(http.port(), misuse)) {
      LoadResult result = serve(http, Duration.ofSeconds(round.quick() ? 5 : 20), round.seed());
      during = result.served(RESPONSE_TIMEOUT);
      round.print(
          "%s, %,d connections, %d closed by the store: %.1f %% of the requests answered 200 within 2 s; %s",
          misuse, hostile.open.get(), hostile.ended.get(), 100 * during, result);
    }
    TimeUnit.NANOSECONDS.sleep(RECOVERY_TIME.toNanos());
    double after = serve(http, Duration.ofSeconds(2), round.seed()).served(RESPONSE_TIMEOUT);
    round.print("5 s later: %.1f %%", 100 * after);
    if (misuse != Misuse.SLOW_HEADS) {
      assertions
          .assertThat(during)
          .as("share of requests answered 200 within 2 s during %s", misuse)
          .isGreaterThanOrEqualTo(LEAST_SHARE);
      assertions
          .assertThat(after)
          .as("share of requests answered 200 after %s", misuse)
          .isEqualTo(1.0);
    }
  }

  private static LoadResult serve(StoreHttpClient http, Duration time, long seed)
      throws InterruptedException {
    try (var clients =
        new LoadClients(
            http.port(),
            REGULAR_CLIENTS,
            LoadClients.RequestMix.BUYS_AND_QUERIES,
            seed,
            RESPONSE_TIMEOUT,
            PAUSE)) {
      LoadResult result = clients.run(time);
      clients.drain();
      return result;
    }
  }
}
