package toystore.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static toystore.testkit.Conditions.await;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import toystore.testkit.RawClient;
import toystore.testkit.StoreProcesses;

/// A service starts with the bean definitions that the build generated, and with its management
/// port.
@Timeout(120)
class GeneratedBeansIT {
  private static final String NOT_USED = "startup without generated bean definitions";

  private static final String JSON = "Content-Type: application/json\r\n";
  private static final String NO_SNIFF = "X-Content-Type-Options: nosniff\r\n";

  @TempDir Path folder;

  @Test
  void everyServiceUsesThemAndAnswersWithJsonOnItsManagementPort() throws Exception {
    List<String> services = StoreProcesses.SERVICES;
    try (var store = new StoreProcesses(folder)) {
      services.forEach(it -> store.with(it, "logging.file.name", log(it).toString()));
      store.startAll(services.toArray(String[]::new));
      for (String service : services) {
        assertThat(log(service)).content().contains("Tomcat initialized").doesNotContain(NOT_USED);
        await(store.http(service)::isReady);
        checkManagementPort(store.http(service).managementPort(), log(service));
      }
    }
  }

  /// Whatever a client accepts; and no client can fill the log.
  private static void checkManagementPort(int port, Path log) throws IOException {
    String before = Files.readString(log);
    for (String path : List.of("/health", "/health/", "/health/readiness/")) {
      assertThat(answer(port, "GET " + path)).startsWith("HTTP/1.1 200 ").contains(JSON, NO_SNIFF);
      assertThat(answer(port, "HEAD " + path)).startsWith("HTTP/1.1 200 ").contains(JSON, NO_SNIFF);
    }
    assertThat(answer(port, "GET /actuator/prometheus/"))
        .startsWith("HTTP/1.1 200 ")
        .contains("Content-Type: text/plain;version=0.0.4");
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

  @Test
  void settingOfSpringIsAppliedWithoutThem() throws Exception {
    try (var store = new StoreProcesses(folder)) {
      store.with("catalog", "logging.file.name", log("catalog").toString());
      store.with("catalog", "management.endpoints.web.exposure.include", "health,beans");
      store.start("catalog");
      await(store.http("catalog")::isReady);
      assertThat(store.http("catalog").management("/beans").status()).isEqualTo(200);
      assertThat(log("catalog"))
          .content()
          .contains(NOT_USED + ", because these are set: [management.endpoints.web.exposure.incl");
    }
  }

  private Path log(String service) {
    return folder.resolve(service + ".log");
  }
}
