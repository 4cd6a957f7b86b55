package toystore.lab.run;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;
import static toystore.common.RootLocale.format;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// A service of another shape is measured with the files that the README shows.
@Tag("long")
class AnyStoreIT {
  @TempDir Path folder;
  private HttpServer library;
  private URI url;

  @BeforeEach
  void start() throws IOException {
    library = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 100);
    var loans = new AtomicLong();
    library.createContext(
        "/v2/books",
        exchange ->
            answer(
                exchange,
                200,
                format(
                    "[{\"title\":\"%s\"}]",
                    exchange.getRequestURI().getQuery().substring("title=".length()))));
    library.createContext(
        "/v2/loans",
        exchange -> answer(exchange, 201, format("{\"loan\":%d}", loans.incrementAndGet())));
    library.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
    library.start();
    url = URI.create("http://127.0.0.1:" + library.getAddress().getPort());
  }

  @AfterEach
  void stop() {
    library.stop(0);
  }

  private static void answer(HttpExchange exchange, int status, String json) throws IOException {
    try (exchange) {
      exchange.getRequestBody().readAllBytes();
      byte[] body = json.getBytes(UTF_8);
      exchange.sendResponseHeaders(status, body.length);
      exchange.getResponseBody().write(body);
    }
  }

  @Test
  void documentedExamplesMeasureALibrary() throws Exception {
    List<String> examples =
        Stream.of(Files.readString(Path.of("../../docs/how-to/measure.md")).split("```json\n"))
            .skip(1)
            .map(it -> it.substring(0, it.indexOf("```")))
            .toList();
    Files.writeString(folder.resolve("library.json"), examples.get(0));
    Files.writeString(folder.resolve("library-scenario.json"), examples.get(1));
    ExperimentPlan plan = Experiments.plan(folder.resolve("library.json").toString()).quick();
    var target = new TargetSubject(plan.baseline(), url, Map.of());
    StoredRun run = StoredRun.open(folder.resolve("run"), plan);
    new BlockRunner(plan, List.of(target), run, SelfCheckIT.inThisProcess(plan), _ -> {}).run(1);
    assertThat(run.rows()).isNotEmpty().allMatch(it -> it.cell().errors() == 0);
    assertThat(run.rows().stream().map(it -> it.cell().kind()).distinct())
        .contains("find", "borrow");
  }

  @Test
  void targetThatIsDownIsNamed() {
    stop();
    assertThatIOException()
        .isThrownBy(() -> new TargetSubject("library", url, Map.of()).start(folder))
        .withMessageStartingWith("cannot connect to " + url);
    assertThatIOException()
        .isThrownBy(
            () -> new TargetSubject("library", URI.create("localhost:80"), Map.of()).start(folder))
        .withMessage("expected a URL such as http://127.0.0.1:8080, got localhost:80");
  }
}
