package toystore.cli.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongFunction;
import java.util.stream.Collectors;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import toystore.cli.ToystoreCommand;
import toystore.cli.command.CommandRefusal;
import toystore.cli.command.UrlOption;
import toystore.cli.shop.FakeMarketplace;
import toystore.cli.shop.FakeMarketplace.Answer;
import toystore.cli.shop.FakeMarketplace.Asked;
import toystore.clients.Conditions;
import toystore.clients.load.CallRecorder.WrongResponses;

/// Runs the load client against a fake store.
final class LoadTest {
  private static final String TUX = "{\"data\":{\"name\":\"Tux\",\"price\":25.99,\"quantity\":80}}";

  private final AtomicLong asked = new AtomicLong();
  private FakeMarketplace server;

  @BeforeEach
  void open() throws IOException {
    server = new FakeMarketplace();
    answers(_ -> new Answer(200, TUX));
  }

  /// @param answer by the number of requests before
  private void answers(LongFunction<Answer> answer) {
    server.answersOthers(_ -> answer.apply(asked.getAndIncrement()));
  }

  private StoreLoad prepared(LoadKind kind, @Nullable String product, int clients)
      throws Exception {
    return StoreLoad.prepare(kind, server.url(), server.url(), product, clients);
  }

  private StoreLoad.Result run(LoadKind kind, @Nullable String product, long requests, int clients)
      throws Exception {
    var load = prepared(kind, product, clients);
    try (var loop = load.loop()) {
      return load.run(loop, requests, 0);
    }
  }

  @AfterEach
  void close() {
    server.close();
  }

  @Test
  void aResponseWithAnotherProductIsWrong() throws Exception {
    var result = run(LoadKind.QUERY, "Whale", 3, 1);
    assertThat(result.calls().correct()).isZero();
    assertThat(result.calls().wrong())
        .isEqualTo(Map.of("name is not Whale", new WrongResponses(3, TUX)));
  }

  @Test
  void errorsAreCountedByStatusWithAnExample() throws Exception {
    answers(n -> n < 2 ? new Answer(503, "{\"error\":{}}") : new Answer(200, "no JSON"));
    var result = run(LoadKind.QUERY, "Tux", 5, 1);
    assertThat(result.calls().wrong())
        .isEqualTo(
            Map.of(
                "status 503, expected 200", new WrongResponses(2, "{\"error\":{}}"),
                "response is not JSON", new WrongResponses(3, "no JSON")));
    assertThat(LoadCommand.lines(result))
        .contains(
            "WRONG                 2 × status 503, expected 200, for example: {\"error\":{}}");
  }

  @Test
  void soldOutIsCountedAsRefused() throws Exception {
    answers(n ->
        n < 3
            ? new Answer(200, "{\"data\":{\"order_number\":" + n + "}}")
            : new Answer(409, "{\"error\":{\"code\":409}}"));
    var result = run(LoadKind.BUY, "Tux", 5, 1);
    assertThat(result.calls().correct()).isEqualTo(3);
    assertThat(result.calls().refused()).isEqualTo(Map.of("sold out", 2L));
    assertThat(result.calls().wrong()).isEmpty();
  }

  @Test
  void aMissingResponseIsWrong() throws Exception {
    var load = prepared(LoadKind.QUERY, "Tux", 1);
    server.close();
    try (var loop = load.loop()) {
      assertThat(load.run(loop, 2, 0).calls().wrong()).containsOnlyKeys("no response");
    }
  }

  @Test
  void atAPaceTheWaitForAStalledServerIsPartOfTheLatency() throws Exception {
    answers(n -> {
      if (n == 20) {
        stallUntil(System.nanoTime() + Duration.ofMillis(400).toNanos());
      }
      return new Answer(200, TUX);
    });
    var load = prepared(LoadKind.QUERY, "Tux", 1);
    Histogram late; // request 20 + n is due 5 n ms after the stall began
    try (var loop = load.loop()) {
      late = load.run(loop, 100, 200).calls().latencies();
    }
    assertThat(late.getTotalCount()).isEqualTo(100);
    assertThat(late.getValueAtPercentile(99)).isGreaterThan(390_000);
    assertThat(late.getCountBetweenValues(190_000, 3_600_000_000L))
        .as("requests that were due in the first half of the stall")
        .isGreaterThanOrEqualTo(40);
  }

  private static void stallUntil(long nanos) {
    while (System.nanoTime() < nanos) {
      LockSupport.parkNanos(nanos - System.nanoTime());
    }
  }

  @Test
  void stoppedLoadReportsWhatWasMeasured() throws Exception {
    var unanswered = new CountDownLatch(1);
    var load = prepared(LoadKind.QUERY, "Tux", 1);
    var loop = load.loop();
    answers(n -> {
      if (n == 10) {
        loop.stop();
        awaitQuietly(unanswered);
      }
      return new Answer(200, TUX);
    });
    var result = load.run(loop, Integer.MAX_VALUE, 0);
    unanswered.countDown();
    assertThat(loop.begunCalls()).isEqualTo(11);
    assertThat(result.calls().correct()).isEqualTo(10);
    assertThat(result.calls().wrong()).isEmpty();
  }

  private static void awaitQuietly(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /// SIGTERM instead of SIGINT, which a JVM ignores if the tests run in the background of a shell.
  @Test
  void aSignalPrintsTheResultSoFar() throws Exception {
    var warmUp = 2_000;
    var process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path"),
                ToystoreCommand.class.getName(),
                "load",
                "--url=" + server.url(),
                "--product=Tux",
                "--requests=100000000")
            .redirectErrorStream(true)
            .start();
    try (var lines = process.inputReader()) {
      Conditions.await(() -> asked.get() > warmUp + 100 || !process.isAlive());
      process.toHandle().destroy();
      assertThat(lines.lines())
          .anyMatch(line -> line.matches("stopped after [0-9,]+ of 100,000,000 requests"))
          .anyMatch(line -> line.matches("p99 +[0-9,]+\\.[0-9]{3} ms"));
    }
    assertThat(process.waitFor()).isEqualTo(128 + 15);
  }

  @Test
  void loadFailsIfNothingSucceededOrAThresholdIsExceeded() {
    answers(_ -> new Answer(409, "{\"error\":{\"code\":409}}"));
    assertThat(load("--kind=buy"))
        .isEqualTo(
            "1: failed: none of 10 requests got the expected response; expected at least one\n");

    answers(n -> n % 5 == 4 ? new Answer(503, "{}") : new Answer(200, TUX));
    assertThat(load()).isEqualTo("1: failed: 2 wrong responses of 10; allowed: 0\n");
    assertThat(load("--max-errors=1"))
        .isEqualTo("1: failed: 2 errors of 10 requests; --max-errors allows 1\n");
    assertThat(load("--max-errors=19.9%"))
        .isEqualTo("1: failed: 2 errors of 10 requests; --max-errors allows 19.9%\n");
    assertThat(load("--max-errors=20%", "--max-p99=60000", "--min-rate=0.01")).isEqualTo("0: ");

    answers(_ -> new Answer(200, TUX));
    assertThat(load("--max-p99=0", "--min-rate=1000000000"))
        .matches(
            "1: failed: p99 is [0-9.]+ ms; --max-p99 allows 0 ms\n"
                + "failed: [0-9.]+ correct responses per second; --min-rate requires 1000000000\n");
    assertThat(load("--max-errors=-1"))
        .contains("expected a number of requests or a percentage, such as 5 or 0.1%; got -1");
  }

  /// Sends ten requests by one client.
  ///
  /// @return the exit code and the lines on standard error
  private String load(String... arguments) {
    var all =
        new ArrayList<>(List.of("load", "--url=" + server.url(), "--product=Tux", "--clients=1"));
    all.add("--requests=10");
    all.addAll(List.of(arguments));
    var err = new StringWriter();
    var line = ToystoreCommand.commandLine().setErr(new PrintWriter(err));
    return line.execute(all.toArray(String[]::new)) + ": " + err;
  }

  @Test
  void productsAreReadFromTheStore() throws Exception {
    answers(n ->
        new Answer(
            200,
            "{\"data\":{\"items\":[{\"name\":\"Tux\",\"quantity\":1},"
                + "{\"name\":\"Bird\",\"quantity\":0}]}}"));
    run(LoadKind.QUERY, null, 100, 1);
    assertThat(uris()).containsExactly("/products/Bird", "/products/Tux", "/products?limit=200");
    server.asked.clear();
    run(LoadKind.BUY, null, 100, 1);
    assertThat(uris()).containsExactly("/orders", "/products?limit=200");
    answers(n -> new Answer(200, "{\"data\":{\"items\":[]}}"));
    assertThatExceptionOfType(CommandRefusal.class)
        .isThrownBy(() -> prepared(LoadKind.BUY, null, 1))
        .withMessageEndingWith("has no product in stock");
  }

  private Set<String> uris() {
    return server.asked.stream().map(Asked::uri).collect(Collectors.toCollection(TreeSet::new));
  }

  @Test
  void aKindThatTheTargetDoesNotSupportIsRefusedBeforeAnyRequest() {
    var out = new StringWriter();
    var line = ToystoreCommand.commandLine().setErr(new PrintWriter(out));
    assertThat(line.execute("load", "--kind=update", "--url=" + server.url())).isEqualTo(2);
    assertThat(out.toString())
        .startsWith("--kind update requires the catalog's gRPC port: --url grpc://HOST:PORT\n");
    assertThat(asked).hasValue(0);
  }

  @Test
  void hostOfAUrlMayBeAnIpv6Address() {
    assertThat(UrlOption.parse("grpc", "grpc://[::1]:9091").getHost()).isEqualTo("[::1]");
    assertThat(UrlOption.parse("grpc", "grpc://shop.example:9091/").getPort()).isEqualTo(9091);
    assertThat(UrlOption.parse("http", "https://shop.example")).hasHost("shop.example");
    for (var url :
        List.of(
            "grpc://a:1/orders",
            "grpc://::1:9091",
            "grpc://[::1]",
            "grpc://[::1:9091",
            "grpc://a]:1")) {
      assertThatExceptionOfType(CommandRefusal.class)
          .isThrownBy(() -> UrlOption.parse("grpc", url))
          .withMessage("--url must have the form grpc://HOST:PORT; got " + url);
    }
  }
}
