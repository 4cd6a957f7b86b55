package toystore.frontend.audit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertTimeout;
import static toystore.clients.Conditions.await;
import static toystore.common.RootLocale.format;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.grpc.health.v1.HealthCheckResponse.ServingStatus;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.slf4j.LoggerFactory;
import toystore.clients.RawClient;
import toystore.frontend.FakedFrontend;
import toystore.frontend.LoggedWarnings;
import toystore.frontend.RunningFrontend;

/// The management port: audit, health and metrics.
class ManagementTest {
  private final FakedFrontend shop = FakedFrontend.open();

  @Test
  void auditMergesTheChecksOfAllServices() {
    var response = shop.getManagement("/audit");

    assertThat(RunningFrontend.reply(response)).isEqualTo(audited(200, true, true, true));
    assertThat(response.headers().firstValue("Content-Type")).hasValue("application/json");
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

  @Test
  void auditReturns503IfAnInvariantDoesNotHold() {
    shop.catalogAudit.setResult(false);

    assertThat(RunningFrontend.reply(shop.getManagement("/audit")))
        .isEqualTo(audited(503, false, false, true));
  }

  @Test
  void auditIsNullIfACheckCouldNotRun() {
    shop.orderAudit.setResult(null);

    assertThat(RunningFrontend.reply(shop.getManagement("/audit")))
        .isEqualTo(audited(503, null, true, null));
    assertThat(shop.getManagement("/actuator/prometheus").body()).contains("toystore_audit_ok NaN");
  }

  @Test
  void auditIsFalseIfOneCheckFailsAndAnotherCouldNotRun() {
    shop.catalogAudit.setResult(null);
    shop.orderAudit.setResult(false);

    assertThat(RunningFrontend.reply(shop.getManagement("/audit")))
        .isEqualTo(audited(503, false, null, false));
    assertThat(shop.getManagement("/actuator/prometheus").body()).contains("toystore_audit_ok 0.0");
  }

  @Test
  void auditRunsPeriodicallyAndLogsOnlyAViolatedInvariantAsError() {
    var events = new ListAppender<ILoggingEvent>();
    var logger = (Logger) LoggerFactory.getLogger("toystore.frontend.audit");
    events.start();
    shop.orderAudit.setResult(false);
    try (var periodic =
        RunningFrontend.frontend(
            "--toystore.frontend.audit-interval=1s",
            target("catalog"),
            target("order"),
            target("account"),
            target("exchange"))) {
      logger.setLevel(Level.INFO);
      logger.setAdditive(false);
      logger.addAppender(events); // after the start, which configures the logging
      int management = RunningFrontend.port(periodic, "local.management.port");
      awaitAudit(management, "0.0");
      assertThat(messages(events, Level.ERROR))
          .containsOnly(
              "audit: \"order: book\" does not hold; stop selling; GET /audit states the difference");

      shop.orderAudit.setResult(null);
      awaitAudit(management, "NaN");
      assertThat(messages(events, Level.INFO))
          .containsOnly(
              "audit: \"order: book\" could not be checked; GET /audit states the reason");
    } finally {
      logger.detachAppender(events);
      logger.setAdditive(true);
      logger.setLevel(Level.OFF);
    }
  }

  private String target(String service) {
    String setting = "toystore.frontend." + service + "-target";
    return "--" + setting + "=" + shop.frontend.getEnvironment().getRequiredProperty(setting);
  }

  private void awaitAudit(int management, String ok) {
    await(() ->
        shop.sendTo(management, "GET", "/actuator/prometheus", "")
            .body()
            .contains("toystore_audit_ok " + ok));
  }

  private static List<String> messages(ListAppender<ILoggingEvent> events, Level level) {
    return events.list.stream()
        .filter(it -> it.getLevel() == level)
        .map(ILoggingEvent::getFormattedMessage)
        .toList();
  }

  private static RunningFrontend.Reply audited(
      int status, @Nullable Boolean ok, @Nullable Boolean stock, @Nullable Boolean book) {
    return new RunningFrontend.Reply(
        status,
        format(
            "{\"ok\":%s,\"checks\":["
                + "{\"name\":\"catalog: stock\",\"ok\":%s,\"detail\":\"checked on\"},"
                + "{\"name\":\"order: book\",\"ok\":%s,\"detail\":\"checked on\"},"
                + "{\"name\":\"account: accounts\",\"ok\":true,\"detail\":\"checked on\"},"
                + "{\"name\":\"exchange: cash and shares\",\"ok\":true,\"detail\":\"checked on\"}]}",
            ok, stock, book));
  }

  @Test
  void readinessFollowsTheBackendServices() {
    assertThat(shop.getManagement("/health").statusCode()).isEqualTo(200);
    assertThat(shop.getManagement("/health/liveness").statusCode()).isEqualTo(200);
    assertThat(shop.getManagement("/health/readiness").statusCode()).isEqualTo(200);

    shop.catalogHealth.setStatus("", ServingStatus.NOT_SERVING);

    assertThat(shop.getManagement("/health/liveness").statusCode()).isEqualTo(200);
    assertThat(shop.getManagement("/health/readiness").statusCode()).isEqualTo(503);
    assertThat(shop.getManagement("/health/readiness").body())
        .contains("NOT_SERVING", "\"toystore.frontend.catalog-target\":\"static://127.0.0.1:");
  }

  @Test
  void serviceThatTheStoreDoesNotHaveIsRefusedAndCountsNowhere(@TempDir Path folder) {
    try (var store =
        RunningFrontend.frontend(
            "--toystore.data=" + folder,
            target("catalog"),
            target("order"),
            "--toystore.frontend.account-target=",
            "--toystore.frontend.exchange-target=")) {
      int port = RunningFrontend.port(store, "local.server.port");
      int management = RunningFrontend.port(store, "local.management.port");

      assertThat(RunningFrontend.reply(shop.sendTo(management, "GET", "/audit", "")))
          .isEqualTo(
              new RunningFrontend.Reply(
                  200,
                  "{\"ok\":true,\"checks\":["
                      + "{\"name\":\"catalog: stock\",\"ok\":true,\"detail\":\"checked on\"},"
                      + "{\"name\":\"order: book\",\"ok\":true,\"detail\":\"checked on\"}]}"));
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
