package toystore.frontend;

import static org.assertj.core.api.Assertions.assertThat;

import io.grpc.health.v1.HealthCheckResponse.ServingStatus;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What operators see.
class ManagementTest {
  private final Shop shop = Shop.open();

  @Test
  void anAuditMergesTheChecksOfAllServices() {
    var response = shop.ask("/audit");

    assertThat(Shop.reply(response))
        .isEqualTo(
            new Shop.Reply(
                200,
                "{\"ok\":true,\"checks\":["
                    + "{\"name\":\"catalog: stock\",\"ok\":true,\"detail\":\"checked on\"},"
                    + "{\"name\":\"order: book\",\"ok\":true,\"detail\":\"equal up to 9\"}]}"));
    assertThat(response.headers().firstValue("Content-Type")).hasValue("application/json");
  }

  @Test
  void aFullAuditBeginsAgain() {
    assertThat(shop.ask("/audit?full=true").body()).contains("checked from 0");
  }

  @Test
  void anInvariantThatDoesNotHoldIsSaidWith503() {
    shop.catalog.breakAnInvariant();

    assertThat(Shop.reply(shop.ask("/audit")))
        .isEqualTo(
            new Shop.Reply(
                503,
                "{\"ok\":false,\"checks\":["
                    + "{\"name\":\"catalog: stock\",\"ok\":false,\"detail\":\"checked on\"},"
                    + "{\"name\":\"order: book\",\"ok\":true,\"detail\":\"equal up to 9\"}]}"));
  }

  @Test
  void theFrontendIsReadyWhenItsServicesAre() {
    assertThat(shop.ask("/health").statusCode()).isEqualTo(200);
    assertThat(shop.ask("/health/liveness").statusCode()).isEqualTo(200);
    assertThat(shop.ask("/health/readiness").statusCode()).isEqualTo(200);

    shop.catalogHealth.setStatus("", ServingStatus.NOT_SERVING);

    assertThat(shop.ask("/health/liveness").statusCode()).isEqualTo(200);
    assertThat(shop.ask("/health/readiness").statusCode()).isEqualTo(503);
    assertThat(shop.ask("/health/readiness").body())
        .contains("NOT_SERVING", "\"toystore.frontend.catalog-target\":\"static://127.0.0.1:");
  }

  @Test
  void aFrontendWithoutServicesStartsIsAliveAndRefusesAtOnce(@TempDir Path folder) {
    try (var alone =
        Shop.frontend(
            "--toystore.data=" + folder,
            "--toystore.frontend.catalog-target=static://127.0.0.1:1",
            "--toystore.frontend.order-target=static://127.0.0.1:1")) {
      int port = Shop.port(alone, "local.server.port");
      int management = Shop.port(alone, "local.management.port");
      String order = "{\"name\":\"Tux\",\"quantity\":1}";
      var refused = shop.sendTo(port, "POST", "/orders", order);

      assertThat(Shop.reply(refused))
          .isEqualTo(Shop.reply(shop.sendTo(port, "GET", "/products/Tux", "")))
          .isEqualTo(
              Shop.error(503, "a service of the store is away, nothing was done: try again"));
      assertThat(refused.headers().firstValue("Retry-After")).hasValue("1");
      assertThat(shop.sendTo(management, "GET", "/health/liveness", "").statusCode())
          .isEqualTo(200);
      var unready = shop.sendTo(management, "GET", "/health/readiness", "");
      assertThat(unready.statusCode()).isEqualTo(503);
      assertThat(unready.body())
          .contains("\"toystore.frontend.catalog-target\":\"static://127.0.0.1:1\"");
      var audit = shop.sendTo(management, "GET", "/audit", "");
      assertThat(audit.statusCode()).isEqualTo(503);
      assertThat(audit.body())
          .startsWith("{\"ok\":false,\"checks\":[{\"name\":\"catalog-service\",\"ok\":false,");
    }
  }
}
