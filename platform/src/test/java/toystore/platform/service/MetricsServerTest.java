package toystore.platform.service;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.core.env.MapPropertySource;
import org.springframework.core.env.StandardEnvironment;
import toystore.clients.RawClient;

class MetricsServerTest {
  private static final StoreServiceDescriptor EXCHANGE =
      new StoreServiceDescriptor(
          "exchange-service",
          "exchange",
          StoreServiceDescriptor.Protocol.GRPC,
          9_094,
          9_084,
          List.of(),
          true,
          64,
          false,
          Map.of());

  private final PrometheusMeterRegistry registry =
      new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
  private final MetricsServer server = server(0);

  private MetricsServer server(int port) {
    var environment = new StandardEnvironment();
    environment
        .getPropertySources()
        .addFirst(new MapPropertySource("test", Map.of("toystore.exchange.management-port", port)));
    return new MetricsServer(
        registry.getPrometheusRegistry(),
        EXCHANGE,
        new ServerSettings("127.0.0.1", "127.0.0.1", List.of("shop.example")),
        environment);
  }

  @AfterEach
  void close() {
    server.close();
  }

  @ParameterizedTest
  @CsvSource({
    "GET /actuator/prometheus, localhost, 200",
    "GET /actuator/prometheus, 127.0.0.1:9084, 200",
    "GET /actuator/prometheus, [::1]:9084, 200",
    "GET /actuator/prometheus, Shop.Example., 200",
    "HEAD /actuator/prometheus, localhost, 200",
    "GET /actuator/prometheus/, localhost, 200",
    "GET /actuator/prometheus, evil.example:9084, 421",
    "GET /, evil.example, 421",
    "GET /, localhost, 404",
    "GET /health, localhost, 404"
  })
  void requestIsAnsweredIfItIsForThisHost(String request, String host, int status)
      throws IOException {
    registry.counter("toys").increment();
    String answer =
        RawClient.exchange(
            server.port(),
            request + " HTTP/1.1\r\nHost: " + host + "\r\nConnection: close\r\n\r\n");

    assertThat(answer).startsWith("HTTP/1.1 " + status);
    assertThat(answer.contains("toys_total 1.0"))
        .isEqualTo(status == 200 && request.startsWith("GET"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "/toys | localhost    | path must be /actuator/prometheus, got \"/toys\"",
        "/     | evil.example | Host must be a name or address of this service, got \"evil.example\"; setting toystore.hosts adds names"
      })
  void refusalSaysWhatIsExpected(String path, String host, String message) throws IOException {
    String answer =
        RawClient.exchange(
            server.port(), "GET " + path + " HTTP/1.0\r\nHost: " + host + "\r\n\r\n");

    assertThat(answer).endsWith("\r\n\r\n" + message + "\n");
  }

  @Test
  void requestWithoutHostIsAnswered() throws IOException {
    assertThat(RawClient.exchange(server.port(), "GET /actuator/prometheus HTTP/1.0\r\n\r\n"))
        .startsWith("HTTP/1.1 200 ");
  }

  @Test
  void onlyTheNamedMetricsAreSent() throws IOException {
    registry.counter("toys").increment();
    registry.counter("stocks").increment();
    assertThat(
            RawClient.exchange(
                server.port(),
                "GET /actuator/prometheus?name[]=toys_total HTTP/1.0\r\nHost: localhost\r\n\r\n"))
        .contains("toys_total 1.0")
        .doesNotContain("stocks_total");
  }

  /// The JDK has no limits unless they are set before its first server.
  @Test
  void slowClientsHoldNoThreadForever() {
    assertThat(System.getProperty("sun.net.httpserver.maxReqTime")).isEqualTo("60");
    assertThat(System.getProperty("sun.net.httpserver.maxRspTime")).isEqualTo("600");
  }

  @Test
  void portInUseIsNamed() {
    assertThatThrownBy(() -> server(server.port()))
        .isInstanceOf(StartupException.class)
        .hasMessage("port " + server.port() + " is already in use; choose another port");
  }
}
