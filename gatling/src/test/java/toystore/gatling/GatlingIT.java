package toystore.gatling;

import static java.nio.charset.StandardCharsets.UTF_8;
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
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// The simulations against a server that answers as the store does.
@Tag("long")
@Timeout(300)
class GatlingIT {
  private static final String PRODUCTS = "/products/";

  @TempDir Path folder;
  private final AtomicLong queries = new AtomicLong();
  private final AtomicLong buys = new AtomicLong();
  private HttpServer server;

  @BeforeEach
  void startServer() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 100);
    server.createContext(
        PRODUCTS,
        exchange -> {
          queries.incrementAndGet();
          String name = exchange.getRequestURI().getPath().substring(PRODUCTS.length());
          answer(exchange, "{\"name\":\"%s\",\"price\":9.99,\"quantity\":1}", name);
        });
    server.createContext(
        "/orders", exchange -> answer(exchange, "{\"order_number\":%s}", buys.getAndIncrement()));
    server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
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
    assertThat(queries).hasValue(40 * (1 + 3));
    assertThat(buys).hasValue(30 * (1 + 3));
    assertThat(run.output())
        .containsPattern("1 client( +[0-9]+){4} +[0-9.]+\n *3 clients( +[0-9]+){4} +[0-9.]+\n");
    try (var files = Files.walk(folder)) {
      assertThat(files.filter(it -> it.endsWith("index.html"))).as("Gatling's report").hasSize(1);
    }
  }

  @Test
  void aMixHasQueriesAndBuys() throws Exception {
    Run run = run("MixSimulation", "-Dclients=2", "-Drequests=200");
    assertThat(run.exitCode()).as(run.output()).isZero();
    assertThat(queries.get() + buys.get()).isEqualTo(400);
    assertThat(buys.get()).isBetween(40L, 120L);
  }

  @Test
  void slowAnswersFail() throws Exception {
    Run run =
        run("QueryVsBuySimulation", "-Dclients=1", "-Dqueries=5", "-Dbuys=5", "-Dp99Millis=-1");
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
    command.add("--add-opens=java.base/java.lang=ALL-UNNAMED"); // Gatling's writer of its log
    command.add("-Durl=http://127.0.0.1:" + server.getAddress().getPort());
    // Gatling asks Maven Central for a newer Gatling and notes the answer in the home folder
    command.add("-Dhttps.proxyHost=127.0.0.1");
    command.add("-Dhttps.proxyPort=9");
    command.add("-Djava.util.prefs.userRoot=" + folder);
    command.addAll(List.of(settings));
    command.addAll(List.of("-cp", System.getProperty("java.class.path"), "io.gatling.app.Gatling"));
    command.addAll(List.of("-s", "toystore.gatling." + simulation, "-rf", folder.toString()));
    Process gatling = new ProcessBuilder(command).redirectErrorStream(true).start();
    String output = new String(gatling.getInputStream().readAllBytes(), UTF_8);
    return new Run(gatling.waitFor(), output);
  }
}
