package toystore.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static toystore.clients.Conditions.await;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import toystore.clients.RawClient;
import toystore.clients.StoreProcesses;

/// The management port of the frontend answers with JSON. Those of the other services have metrics
/// only.
@Tag("long")
class ManagementPortsIT {
  private static final String JSON = "Content-Type: application/json\r\n";
  private static final String NO_SNIFF = "X-Content-Type-Options: nosniff\r\n";

  @TempDir Path folder;

  @Test
  void managementPortsOfAllServices() throws Exception {
    List<String> services = StoreProcesses.SERVICES;
    try (var store = new StoreProcesses(folder)) {
      services.forEach(it -> store.with(it, "logging.file.name", log(it).toString()));
      store.startAll(services.toArray(String[]::new));
      for (String service : services) {
        await(() -> store.isReady(service));
        checkMetrics(store.http(service).managementPort());
      }
      await(() -> store.http("frontend").management("/health").status() == 200);
      checkManagementPort(store.http("frontend").managementPort(), log("frontend"));
    }
  }

  private static void checkMetrics(int port) throws IOException {
    assertThat(answer(port, "GET /actuator/prometheus/"))
        .startsWith("HTTP/1.1 200 ")
        .containsIgnoringCase("Content-Type: text/plain")
        .contains("jvm_memory_used_bytes", "build_info{");
    assertThat(answer(port, "GET /nowhere")).startsWith("HTTP/1.1 404 ");
    assertThat(
            RawClient.exchange(
                port, "GET /actuator/prometheus HTTP/1.0\r\nHost: evil.example\r\n\r\n"))
        .startsWith("HTTP/1.1 421 ");
  }

  /// Whatever a client accepts; and no client can fill the log.
  private static void checkManagementPort(int port, Path log) throws IOException {
    String before = Files.readString(log);
    for (String path : List.of("/health", "/health/", "/health/readiness/")) {
      assertThat(answer(port, "GET " + path)).startsWith("HTTP/1.1 200 ").contains(JSON, NO_SNIFF);
      assertThat(answer(port, "HEAD " + path)).startsWith("HTTP/1.1 200 ").contains(JSON, NO_SNIFF);
    }
    for (String refused : List.of("404 /nowhere", "404 /health;v=1", "400 /%zz", "400 /{x}")) {
      assertThat(answer(port, "GET " + refused.substring(4)))
          .startsWith("HTTP/1.1 " + refused.substring(0, 4))
          .contains(JSON, NO_SNIFF, "{\"error\":{\"code\":" + refused.substring(0, 3));
    }
    assertThat(answer(port, "POST /health"))
        .startsWith("HTTP/1.1 405 ")
        .contains(JSON, NO_SNIFF, "\r\nAllow: GET");
    assertThat(Files.readString(log).substring(before.length()))
        .doesNotContain(" WARN ", " ERROR ");
  }

  private static String answer(int port, String requestLine) throws IOException {
    return RawClient.exchange(
        port,
        requestLine
            + " HTTP/1.1\r\nHost: localhost\r\nAccept: text/html\r\nConnection: close\r\n\r\n");
  }

  private Path log(String service) {
    return folder.resolve(service + ".log");
  }
}
