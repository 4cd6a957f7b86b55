package toystore.gatling;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.concurrent.TimeUnit.MILLISECONDS;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The simulations against a server that answers as the store does.
@Tag("long")
class GatlingIT {
  private static final String PRODUCTS = "/products/";
  private static final Pattern LATENCIES =
      Pattern.compile(
          """
          -Dseed=[0-9]+: numbers of clients in the order [13], [13]; (not )?warm after (?<passes>[0-9]+) passes \
          of 500 queries and 500 buys
          latency in µs +query mean +p50 +p99 +buy mean +p50 +p99
          1 client( +[0-9]+){6}
          3 clients( +[0-9]+){6}
          buy ÷ query, means: [0-9.]+ with 1 client, [0-9.]+ with 3 clients
          $\
          """);

  @TempDir Path folder;
  private final AtomicLong queries = new AtomicLong();
  private final AtomicLong buys = new AtomicLong();
  private final StringBuffer requests = new StringBuffer(); // Q: a query, B: a buy
  private volatile int delayMillis;
  private HttpServer server;

  @BeforeEach
  void startServer() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 100);
    server.createContext(
        PRODUCTS,
        exchange -> {
          queries.incrementAndGet();
          requests.append('Q');
          String name = exchange.getRequestURI().getPath().substring(PRODUCTS.length());
          answer(exchange, "{\"name\":\"%s\",\"price\":9.99,\"quantity\":1}", name);
        });
    server.createContext(
        "/orders",
        exchange -> {
          requests.append('B');
          answer(exchange, "{\"order_number\":%s}", buys.getAndIncrement());
        });
    Executor threads = Executors.newVirtualThreadPerTaskExecutor();
    server.setExecutor(
        it -> CompletableFuture.delayedExecutor(delayMillis, MILLISECONDS, threads).execute(it));
    server.start();
  }

  private static void answer(HttpExchange exchange, String data, Object value) throws IOException {
    try (exchange) {
      exchange.getRequestBody().readAllBytes();
      byte[] body = String.format(Locale.ROOT, "{\"data\":" + data + "}", value).getBytes(UTF_8);
      exchange.sendResponseHeaders(200, body.length);
      exchange.getResponseBody().write(body);
    }
  }

  @AfterEach
  void stopServer() {
    server.stop(0);
  }

  @Test
  void queriesAndBuysAreAsManyAsAskedForAndHaveTheirLatencies() throws Exception {
    Run run = run("QueryVsBuySimulation", "-Dclients=1,3", "-Dqueries=40", "-Dbuys=30");
    assertThat(run.exitCode()).as(run.output()).isZero();
    assertThat(run.output()).containsPattern("request count +\\| +" + (40 + 30) * (1 + 3) + " ");
    Matcher table = LATENCIES.matcher(run.output());
    assertThat(table.find()).as(run.output()).isTrue();
    int passes = Integer.parseInt(table.group("passes"));
    assertThat(passes).isBetween(2, WarmUp.MAX_PASSES);
    assertThat(queries).hasValueGreaterThanOrEqualTo(40 * (1 + 3) + passes * WarmUp.CALLS);
    assertThat(buys).hasValueGreaterThanOrEqualTo(30 * (1 + 3) + passes * WarmUp.CALLS);
    try (var files = Files.walk(folder)) {
      Path report = files.filter(it -> it.endsWith("index.html")).findFirst().orElseThrow();
      assertThat(report.resolveSibling("latencies.txt")).hasContent(table.group());
    }
  }

  @Test
  void clientsAreMeasuredInTheOrderOfTheSeed() throws Exception {
    Run run =
        run("QueryVsBuySimulation", "-Dclients=1,2,3,4,5", "-Dqueries=1", "-Dbuys=1", "-Dseed=7");
    assertThat(run.output())
        .contains(
            "-Dseed=7: numbers of clients in the order 5, 4, 1, 3, 2" + System.lineSeparator());
    assertThat(requests.substring(requests.length() - 2 * (5 + 4 + 1 + 3 + 2)))
        .isEqualTo("QQQQQBBBBB" + "QQQQBBBB" + "QB" + "QQQBBB" + "QQBB");
  }

  @Test
  void wrongValuesEndTheRunBeforeTheFirstRequest() throws Exception {
    Run run = run("MixSimulation", "-Dclients=1,0");
    assertThat(run.exitCode()).isNotZero();
    assertThat(run.output()).contains("-Dclients: expected different whole numbers with commas");
    assertThat(queries.get() + buys.get()).isZero();
  }

  @Test
  void aMixHasQueriesAndBuys() throws Exception {
    Run run = run("MixSimulation", "-Dclients=2", "-Drequests=200");
    assertThat(run.exitCode()).as(run.output()).isZero();
    assertThat(run.output()).containsPattern("request count +\\| +400 ");
  }

  @Test
  void slowAnswersFail() throws Exception {
    delayMillis = 2;
    Run run =
        run("QueryVsBuySimulation", "-Dclients=1", "-Dqueries=5", "-Dbuys=5", "-Dp99Millis=1");
    assertThat(run.exitCode()).as(run.output()).isNotZero();
  }

  @Test
  void wrongAnswersFail() throws Exception {
    server.removeContext(PRODUCTS);
    Run run = run("QueryVsBuySimulation", "-Dclients=1", "-Dqueries=5", "-Dbuys=5");
    assertThat(run.exitCode()).as(run.output()).isNotZero();
  }

  private record Run(int exitCode, String output) {}

  private Run run(String simulation, String... settings) throws Exception {
    var command = new ArrayList<String>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.add("-Dstdout.encoding=UTF-8");
    command.add("--add-opens=java.base/java.lang=ALL-UNNAMED"); // Gatling's writer of its log
    command.add("-Durl=http://127.0.0.1:" + server.getAddress().getPort());
    // Gatling asks Maven Central for a newer Gatling and notes the answer in the home folder
    command.add("-Dhttps.proxyHost=127.0.0.1");
    command.add("-Dhttps.proxyPort=9");
    command.add("-Djava.util.prefs.userRoot=" + folder);
    command.add("-Dresults=" + folder);
    command.addAll(List.of(settings));
    command.addAll(List.of("-cp", System.getProperty("java.class.path"), "io.gatling.app.Gatling"));
    command.addAll(List.of("-s", "toystore.gatling." + simulation, "-rf", folder.toString()));
    Process gatling = new ProcessBuilder(command).redirectErrorStream(true).start();
    String output = new String(gatling.getInputStream().readAllBytes(), UTF_8);
    return new Run(gatling.waitFor(), output);
  }
}
