package toystore.torture;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.HdrHistogram.ConcurrentHistogram;
import org.assertj.core.api.SoftAssertions;
import toystore.testkit.HttpTestClient;
import toystore.torture.HostileConnections.Misuse;

/// Crowds of clients that misuse HTTP, one kind after the other, while four others buy and query
/// ten times a second each. Most of these are answered within 2 s meanwhile, all of them once the
/// crowd has left.
public final class HostileClients implements Trial {
  private static final int OTHERS = 4;
  private static final Duration PAUSE = Duration.ofMillis(100);
  private static final Duration IN_TIME = Duration.ofSeconds(2);
  private static final Duration AFTERWARDS = Duration.ofSeconds(5);
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
  public long wanted() {
    return IntStream.range(0, Misuse.values().length)
        .map(i -> Misuse.values()[i].connections)
        .sum();
  }

  @Override
  public long round(TrialRound round) throws Exception {
    String toys =
        IntStream.range(0, 250)
            .mapToObj("Toy number %03d of many,12.50,1000\n"::formatted)
            .collect(Collectors.joining());
    try (var store = Overload.started(round, toys)) {
      HttpTestClient http = store.http("frontend");
      new Others(http.port()).ask(Duration.ofSeconds(round.quick() ? 2 : 10));
      round
          .out()
          .println(
              "misuse              connections closed | 200 in 2 s   p50 ms  max ms | 5 s later");
      var promises = new SoftAssertions();
      for (Misuse misuse : Misuse.values()) {
        check(misuse, http, round, promises);
      }
      promises.assertAll();
      assertThat(http.audit().body()).startsWith("{\"ok\":true");
      return wanted();
    }
  }

  private static void check(
      Misuse misuse, HttpTestClient http, TrialRound round, SoftAssertions promises)
      throws Exception {
    var meanwhile = new Others(http.port());
    int connections;
    int ended;
    try (var crowd = new HostileConnections(http.port(), misuse)) {
      meanwhile.ask(Duration.ofSeconds(round.quick() ? 3 : 20));
      connections = crowd.connections();
      ended = crowd.ended();
    }
    var afterwards = new Others(http.port());
    TimeUnit.NANOSECONDS.sleep(AFTERWARDS.toNanos());
    afterwards.ask(Duration.ofSeconds(2));
    round
        .out()
        .printf(
            "%-18s %,12d %6d | %9.1f %% %8.1f %7.0f | %7.1f %%%n",
            misuse,
            connections,
            ended,
            100 * meanwhile.share(),
            meanwhile.millis(50),
            meanwhile.millis(100),
            100 * afterwards.share());
    if (misuse != Misuse.SLOW_HEADS) {
      promises
          .assertThat(meanwhile.share())
          .as("share of requests answered 200 within 2 s during %s", misuse)
          .isGreaterThanOrEqualTo(LEAST_SHARE);
      promises.assertThat(afterwards.share()).as("share of requests answered 200 after %s", misuse).isEqualTo(1.0);
    }
  }

  /// Those who behave, each in a thread of its own.
  private static final class Others {
    private final HttpClient client = HttpClient.newBuilder().connectTimeout(IN_TIME).build();
    private final HttpRequest query;
    private final HttpRequest buy;
    private final ConcurrentHistogram served = new ConcurrentHistogram(3);
    private final ConcurrentHistogram asked = new ConcurrentHistogram(3);

    Others(int port) {
      String store = "http://127.0.0.1:" + port;
      query = HttpRequest.newBuilder(URI.create(store + "/products/Tux")).timeout(IN_TIME).build();
      buy =
          HttpRequest.newBuilder(URI.create(store + "/orders"))
              .timeout(IN_TIME)
              .POST(HttpRequest.BodyPublishers.ofString("{\"name\":\"Tux\",\"quantity\":1}"))
              .build();
    }

    void ask(Duration time) {
      long end = System.nanoTime() + time.toNanos();
      try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
        for (int i = 0; i < OTHERS; i++) {
          threads.submit(() -> {
            while (System.nanoTime() < end) {
              ask(buy);
              ask(query);
              TimeUnit.NANOSECONDS.sleep(PAUSE.toNanos());
            }
            return end;
          });
        }
      }
    }

    private void ask(HttpRequest request) throws InterruptedException {
      long begin = System.nanoTime();
      int status;
      try {
        status = client.send(request, BodyHandlers.ofString()).statusCode();
      } catch (IOException unanswered) {
        status = 0;
      }
      long nanos = System.nanoTime() - begin;
      asked.recordValue(nanos);
      if (status == 200 && nanos <= IN_TIME.toNanos()) {
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
