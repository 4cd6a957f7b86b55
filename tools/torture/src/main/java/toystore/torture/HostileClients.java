package toystore.torture;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.Locale;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.HdrHistogram.ConcurrentHistogram;
import org.assertj.core.api.SoftAssertions;
import toystore.testkit.HttpTestClient;
import toystore.torture.HostileConnections.Misuse;

/// Many clients that misuse HTTP, one kind after the other, while four regular clients buy and
/// query ten times per second each. At least 80 % of the regular requests must be answered within 2
/// s during the misuse, and all of them after it.
public final class HostileClients implements Trial {
  private static final int REGULAR_CLIENTS = 4;
  private static final Duration PAUSE = Duration.ofMillis(100);
  private static final Duration RESPONSE_TIMEOUT = Duration.ofSeconds(2);
  private static final Duration RECOVERY_TIME = Duration.ofSeconds(5);
  private static final double LEAST_SHARE = 0.8;

  @Override
  public String name() {
    return "hostile-clients";
  }

  @Override
  public String unit() {
    return "hostile connections";
  }

  @Override
  public long target() {
    return IntStream.range(0, Misuse.values().length)
        .map(i -> Misuse.values()[i].connections)
        .sum();
  }

  @Override
  public long round(TrialRound round) throws Exception {
    String toys =
        IntStream.range(0, 250)
            .mapToObj(it -> String.format(Locale.ROOT, "Toy number %03d of many,12.50,1000\n", it))
            .collect(Collectors.joining());
    try (var store = Overload.started(round, toys)) {
      HttpTestClient http = store.http("frontend");
      new RegularClients(http.port()).run(Duration.ofSeconds(round.quick() ? 4 : 10));
      round
          .out()
          .println(
              "misuse              connections closed | 200 in 2 s   p50 ms  max ms | 5 s later");
      var assertions = new SoftAssertions();
      for (Misuse misuse : Misuse.values()) {
        check(misuse, http, round, assertions);
      }
      assertions.assertAll();
      assertThat(http.failedChecks()).isEmpty();
      return target();
    }
  }

  private static void check(
      Misuse misuse, HttpTestClient http, TrialRound round, SoftAssertions assertions)
      throws Exception {
    var during = new RegularClients(http.port());
    int connections;
    int ended;
    try (var hostile = new HostileConnections(http.port(), misuse)) {
      during.run(Duration.ofSeconds(round.quick() ? 5 : 20));
      connections = hostile.connections();
      ended = hostile.ended();
    }
    var after = new RegularClients(http.port());
    TimeUnit.NANOSECONDS.sleep(RECOVERY_TIME.toNanos());
    after.run(Duration.ofSeconds(2));
    round
        .out()
        .printf(
            Locale.ROOT,
            "%-18s %,12d %6d | %9.1f %% %8.1f %7.0f | %7.1f %%%n",
            misuse,
            connections,
            ended,
            100 * during.share(),
            during.millis(50),
            during.millis(100),
            100 * after.share());
    if (misuse != Misuse.SLOW_HEADS) {
      assertions
          .assertThat(during.share())
          .as("share of requests answered 200 within 2 s during %s", misuse)
          .isGreaterThanOrEqualTo(LEAST_SHARE);
      assertions
          .assertThat(after.share())
          .as("share of requests answered 200 after %s", misuse)
          .isEqualTo(1.0);
    }
  }

  /// Clients with correct requests, each in its own thread.
  private static final class RegularClients {
    private final HttpClient client =
        HttpClient.newBuilder().connectTimeout(RESPONSE_TIMEOUT).build();
    private final HttpRequest query;
    private final HttpRequest buy;
    private final ConcurrentHistogram served = new ConcurrentHistogram(3);
    private final ConcurrentHistogram asked = new ConcurrentHistogram(3);

    RegularClients(int port) {
      String store = "http://127.0.0.1:" + port;
      query =
          HttpRequest.newBuilder(URI.create(store + "/products/Tux"))
              .timeout(RESPONSE_TIMEOUT)
              .build();
      buy =
          HttpRequest.newBuilder(URI.create(store + "/orders"))
              .timeout(RESPONSE_TIMEOUT)
              .POST(HttpRequest.BodyPublishers.ofString("{\"name\":\"Tux\",\"quantity\":1}"))
              .build();
    }

    void run(Duration time) {
      long end = System.nanoTime() + time.toNanos();
      try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
        for (int i = 0; i < REGULAR_CLIENTS; i++) {
          threads.submit(() -> {
            while (System.nanoTime() < end) {
              run(buy);
              run(query);
              TimeUnit.NANOSECONDS.sleep(PAUSE.toNanos());
            }
            return end;
          });
        }
      }
    }

    private void run(HttpRequest request) throws InterruptedException {
      long begin = System.nanoTime();
      int status;
      try {
        status = client.send(request, BodyHandlers.ofString()).statusCode();
      } catch (IOException unanswered) {
        status = 0;
      }
      long nanos = System.nanoTime() - begin;
      asked.recordValue(nanos);
      if (status == 200 && nanos <= RESPONSE_TIMEOUT.toNanos()) {
        served.recordValue(nanos);
      }
    }

    double share() {
      return (double) served.getTotalCount() / asked.getTotalCount();
    }

    double millis(double percentile) {
      return asked.getValueAtPercentile(percentile) / 1e6;
    }
  }
}
