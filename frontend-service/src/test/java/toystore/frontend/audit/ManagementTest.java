package toystore.frontend.audit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertTimeout;
import static toystore.clients.Conditions.await;
import static toystore.common.RootLocale.format;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.grpc.MethodDescriptor;
import io.grpc.health.v1.HealthCheckResponse;
import io.grpc.health.v1.HealthCheckResponse.ServingStatus;
import io.grpc.health.v1.HealthGrpc;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.slf4j.LoggerFactory;
import toystore.clients.RawClient;
import toystore.common.v1.AuditCheck;
import toystore.common.v1.AuditResponse;
import toystore.common.v1.AuditServiceGrpc;
import toystore.frontend.LoggedWarnings;
import toystore.frontend.RunningFrontend;

/// The management port: audit, health and metrics.
class ManagementTest {
  private static final MethodDescriptor<?, AuditResponse> AUDIT = AuditServiceGrpc.getAuditMethod();

  private final RunningFrontend shop = RunningFrontend.open();

  @Test
  void auditMergesTheChecksOfAllServices() {
    var response = shop.getManagement("/audit");

    assertThat(response.statusCode()).isEqualTo(200);
    assertThat(response.headers().firstValue("Content-Type")).hasValue("application/json");
    assertThat(response.body())
        .startsWith("{\"ok\":true,\"checks\":[{\"name\":\"catalog: ")
        .contains("{\"name\":\"order: ", "{\"name\":\"account: ", "{\"name\":\"exchange: ")
        .doesNotContain("false", "null");
  }

  @ParameterizedTest
  @ValueSource(strings = {"/audit/", "/health", "/health/readiness/"})
  void answerIsJsonForAnyAccept(String path) {
    for (String accept :
        List.of(
            "text/html,application/xhtml+xml,*/*;q=0.8",
            "application/xml",
            "text/plain",
            "application/json;q=0",
            "nonsense")) {
      for (String method : List.of("GET", "HEAD")) {
        var response = shop.sendTo(shop.managementPort, method, path, "", "Accept", accept);

        assertThat(response.statusCode()).as(method + " " + accept).isEqualTo(200);
        assertThat(response.headers().firstValue("Content-Type")).hasValue("application/json");
        assertThat(response.headers().firstValue("X-Content-Type-Options")).hasValue("nosniff");
        assertThat(response.body().isEmpty()).isEqualTo(method.equals("HEAD"));
      }
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "*/*|text/plain;version=0.0.4;charset=utf-8",
        "application/json|text/plain;version=0.0.4;charset=utf-8",
        "nonsense|text/plain;version=0.0.4;charset=utf-8",
        "application/openmetrics-text;version=1.0.0,text/plain;q=0.5,*/*;q=0.1|application/openmetrics-text;version=1.0.0;charset=utf-8"
      })
  void metricsAreTextOrOpenMetrics(String accept, String type) {
    for (String path : List.of("/actuator/prometheus", "/actuator/prometheus/")) {
      var response = shop.sendTo(shop.managementPort, "GET", path, "", "Accept", accept);

      assertThat(response.statusCode()).isEqualTo(200);
      assertThat(response.headers().firstValue("Content-Type")).hasValue(type);
    }
  }

  /// A client of the management port cannot fill the log.
  @ParameterizedTest
  @CsvSource({
    "GET /nowhere,404",
    "GET /health;x=1,404",
    "GET /audit?full=nonsense,400",
    "GET /%zz,400",
    "POST /health,405",
    "TRACE /health,405"
  })
  void refusedRequestGetsJsonAndLogsNothing(String requestLine, int status) throws IOException {
    try (var warnings = new LoggedWarnings()) {
      String answer =
          RawClient.exchange(
              shop.managementPort,
              requestLine
                  + " HTTP/1.1\r\nHost: localhost\r\nAccept: text/html\r\nContent-Length: 3\r\n"
                  + "Connection: close\r\n\r\n{]}");

      assertThat(answer)
          .startsWith("HTTP/1.1 " + status)
          .contains("Content-Type: application/json\r\n", "X-Content-Type-Options: nosniff\r\n")
          .contains("\r\n\r\n{\"error\":{\"code\":" + status + ",\"message\":\"")
          .doesNotContain("Exception");
      assertThat(answer.contains("\r\nAllow: ")).isEqualTo(status == 405);
      assertThat(warnings.lines()).isEmpty();
    }
  }

  @ParameterizedTest
  @CsvSource({"false,,false,0.0", ",,null,NaN", ",true,null,NaN", "true,false,false,0.0"})
  void auditReturns503IfACheckDoesNotHoldOrCouldNotRun(
      @Nullable Boolean one, @Nullable Boolean other, String ok, String metric) {
    shop.faults.answer(AUDIT, audited(one, other));

    var response = shop.getManagement("/audit");

    assertThat(response.statusCode()).isEqualTo(503);
    assertThat(response.body())
        .startsWith("{\"ok\":" + ok + ",\"checks\":[")
        .containsPattern(": stock\",\"ok\":" + one + ",\"detail\":\"a test\"}")
        .containsPattern(": book\",\"ok\":" + other + ",\"detail\":\"a test\"}");
    assertThat(shop.getManagement("/actuator/prometheus").body())
        .contains("toystore_audit_ok " + metric);
  }

  private static AuditResponse audited(@Nullable Boolean stock, @Nullable Boolean book) {
    return AuditResponse.newBuilder()
        .addChecks(check("stock", stock))
        .addChecks(check("book", book))
        .build();
  }

  private static AuditCheck.Builder check(String name, @Nullable Boolean ok) {
    var check = AuditCheck.newBuilder().setName(name).setDetail("a test");
    return ok == null ? check : check.setOk(ok);
  }

  @Test
  void auditRunsPeriodicallyAndLogsOnlyAViolatedInvariantAsError() {
    var events = new ListAppender<ILoggingEvent>();
    events.list = new CopyOnWriteArrayList<>();
    var logger = (Logger) LoggerFactory.getLogger("toystore.frontend.audit");
    events.start();
    try (var _ = shop.another("--toystore.frontend.audit-interval=1s")) {
      logger.setLevel(Level.INFO);
      logger.setAdditive(false);
      logger.addAppender(events); // after the start, which configures the logging
      shop.faults.answer(AUDIT, audited(true, false));
      await(() -> !messages(events, Level.ERROR).isEmpty());
      assertThat(messages(events, Level.ERROR))
          .singleElement()
          .asString()
          .matches(
              "audit: \"\\w+: book\" does not hold; stop selling; GET /audit states the difference");

      shop.faults.answer(AUDIT, audited(true, null));
      await(() -> !messages(events, Level.INFO).isEmpty());
      assertThat(messages(events, Level.INFO))
          .singleElement()
          .asString()
          .matches("audit: \"\\w+: book\" could not be checked; GET /audit states the reason");
    } finally {
      logger.detachAppender(events);
      logger.setAdditive(true);
      logger.setLevel(Level.OFF);
    }
  }

  private static List<String> messages(ListAppender<ILoggingEvent> events, Level level) {
    return events.list.stream()
        .filter(it -> it.getLevel() == level)
        .map(ILoggingEvent::getFormattedMessage)
        .toList();
  }

  @Test
  void readinessFollowsTheBackendServices() {
    assertThat(shop.getManagement("/health").statusCode()).isEqualTo(200);
    assertThat(shop.getManagement("/health/liveness").statusCode()).isEqualTo(200);
    assertThat(shop.getManagement("/health/readiness").statusCode()).isEqualTo(200);

    assertThat(shop.getManagement("/health/liveness").statusCode()).isEqualTo(200);
    shop.faults.answer(
        HealthGrpc.getCheckMethod(),
        HealthCheckResponse.newBuilder().setStatus(ServingStatus.NOT_SERVING).build());
    var unready = shop.getManagement("/health/readiness");
    assertThat(unready.statusCode()).isEqualTo(503);
    assertThat(unready.body())
        .contains("NOT_SERVING", "\"toystore.frontend.catalog-target\":\"static://127.0.0.1:");
  }

  @Test
  void serviceThatTheStoreDoesNotHaveIsRefusedAndCountsNowhere() {
    try (var store =
        shop.another(
            "--toystore.frontend.account-target=", "--toystore.frontend.exchange-target=")) {
      int port = RunningFrontend.port(store, "local.server.port");
      int management = RunningFrontend.port(store, "local.management.port");

      assertThat(shop.sendTo(management, "GET", "/audit", "").body())
          .startsWith("{\"ok\":true,")
          .doesNotContain("\"account", "\"exchange");
      assertThat(shop.sendTo(management, "GET", "/health", "").statusCode()).isEqualTo(200);
      assertThat(shop.sendTo(port, "GET", "/health", "").statusCode()).isEqualTo(200);
      String[] token = {"Authorization", "Bearer some-token"};
      for (var request :
          Map.of("/api/cart", "account", "/api/exchange/symbols", "exchange").entrySet()) {
        var refused = shop.sendTo(port, "GET", request.getKey(), "", token);
        assertThat(refused.statusCode()).isEqualTo(503);
        assertThat(refused.headers().firstValue("Retry-After")).isPresent();
        assertThat(refused.body())
            .contains(
                "\"reason\":\"NOT_CONFIGURED\"",
                format(
                    "\"this store runs without the %s service; the request was not processed\"",
                    request.getValue()));
      }
    }
  }

  @Test
  void frontendWithoutBackendsStartsAndReturns503(@TempDir Path folder) throws IOException {
    try (var silent = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        var alone =
            RunningFrontend.frontend(
                "--toystore.data=" + folder,
                "--toystore.frontend.catalog-target=static://127.0.0.1:1",
                "--toystore.frontend.order-target=static://127.0.0.1:1",
                "--toystore.frontend.account-target=static://127.0.0.1:" + silent.getLocalPort())) {
      int port = RunningFrontend.port(alone, "local.server.port");
      int management = RunningFrontend.port(alone, "local.management.port");
      String order = "{\"name\":\"Tux\",\"quantity\":1}";
      var refused = shop.sendTo(port, "POST", "/orders", order);

      assertThat(RunningFrontend.reply(refused))
          .isEqualTo(RunningFrontend.reply(shop.sendTo(port, "GET", "/products/Tux", "")))
          .isEqualTo(
              RunningFrontend.error(
                  503,
                  "NOT_DONE",
                  "a backend service is unavailable; the request was not processed; retry later"));
      assertThat(refused.headers().firstValue("Retry-After")).hasValue("1");
      assertThat(shop.sendTo(management, "GET", "/health/liveness", "").statusCode())
          .isEqualTo(200);
      var unready = shop.sendTo(management, "GET", "/health/readiness", "");
      assertThat(unready.statusCode()).isEqualTo(503);
      assertThat(unready.body())
          .contains("\"toystore.frontend.catalog-target\":\"static://127.0.0.1:1\"");
      var audit =
          assertTimeout(Duration.ofSeconds(60), () -> shop.sendTo(management, "GET", "/audit", ""));
      assertThat(audit.statusCode()).isEqualTo(503);
      assertThat(audit.body())
          .startsWith("{\"ok\":null,\"checks\":[{\"name\":\"catalog-service\",\"ok\":null,")
          .contains("{\"name\":\"account-service\",\"ok\":null,");
    }
  }
}
