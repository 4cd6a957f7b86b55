package toystore.frontend.http;

import static org.assertj.core.api.Assertions.assertThat;
import static toystore.clients.Conditions.await;
import static toystore.common.RootLocale.format;

import io.github.resilience4j.bulkhead.BulkheadConfig;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.springframework.context.ConfigurableApplicationContext;
import toystore.clients.RawClient;
import toystore.frontend.RunningFrontend;
import toystore.order.v1.OrderServiceGrpc;

/// The call limit of a frontend with one permit, which the first order holds until its answer.
class WorkLimitTest {
  private static final String ORDER = "{\"name\":\"Tux\",\"quantity\":1}";
  private static final String REFUSAL =
      "server is overloaded (1 calls to order in progress); the request was not processed; retry later";
  private static final BulkheadConfig ONE_PERMIT =
      BulkheadConfig.custom()
          .maxConcurrentCalls(1)
          .maxWaitDuration(Duration.ofMillis(500))
          .fairCallHandlingStrategyEnabled(true)
          .build();

  private static ConfigurableApplicationContext frontend;
  private static int port;

  private final RunningFrontend shop = RunningFrontend.open();

  @BeforeAll
  static void startWithOnePermit() {
    frontend =
        RunningFrontend.open()
            .another(
                context -> context.getBeanFactory().registerSingleton("onePermit", ONE_PERMIT),
                "--toystore.deadline=30s",
                "--server.tomcat.connection-timeout=2s");
    port = RunningFrontend.port(frontend, "local.server.port");
  }

  @AfterAll
  static void close() {
    frontend.close();
  }

  /// Sends an order that holds the permit until the future is complete.
  private RawClient buy(CompletableFuture<Void> until) throws IOException {
    shop.faults.delay(OrderServiceGrpc.getPlaceOrderMethod(), until);
    RawClient client = buy();
    await(() -> shop.faults.sent().contains("PlaceOrder"));
    return client;
  }

  @Test
  void requestReturns503AfterTheWaitTimeAndTheNextIsServed() throws Exception {
    var until = new CompletableFuture<Void>();
    try (var first = buy(until)) {
      var refused = shop.sendTo(port, "POST", "/orders", ORDER);

      assertThat(RunningFrontend.reply(refused))
          .isEqualTo(RunningFrontend.error(503, "OVERLOADED", REFUSAL));
      assertThat(refused.headers().firstValue("Retry-After")).hasValue("1");
      assertThat(refused.headers().firstValue("Idempotency-Key")).isPresent();
      assertThat(shop.faults.sent()).containsExactly("PlaceOrder");
      until.complete(null);
      assertThat(first.answer()).startsWith("HTTP/1.1 200 ");
    }
    assertOrderIsServed();
  }

  @Test
  void waitingRequestIsServedWhenAPermitIsReleased() throws Exception {
    var until = new CompletableFuture<Void>();
    try (var first = buy(until);
        var second = buy()) {
      until.complete(null);
      assertThat(first.answer()).startsWith("HTTP/1.1 200 ");
      assertThat(second.answer()).startsWith("HTTP/1.1 200 ");
    }
  }

  @Test
  void buyIsServedWhileMoreSlowBodiesArriveThanTheRequestLimit() throws Exception {
    List<RawClient> slow = new ArrayList<>();
    try {
      for (int i = 0; i < 600; i++) {
        slow.add(new RawClient(port).send(head("/orders", ORDER.length()) + ORDER.charAt(0)));
      }
      assertOrderIsServed();

      slow.getFirst().send(ORDER.substring(1));
      assertThat(slow.getFirst().answer()).startsWith("HTTP/1.1 200 ");
    } finally {
      for (RawClient client : slow) {
        client.close();
      }
    }
  }

  @Test
  void requestReturns503IfItsBodyArrivesWhileNoPermitIsFree() throws Exception {
    var until = new CompletableFuture<Void>();
    try (var slow = new RawClient(port).send(head("/orders", ORDER.length()))) {
      try (var _ = buy(until)) {
        assertThat(slow.send(ORDER).answer()).startsWith("HTTP/1.1 503 ");
        until.complete(null);
      }
    }
    assertOrderIsServed();
  }

  @Test
  void bodyForUnknownPathHoldsNoPermit() throws Exception {
    try (var slow = new RawClient(port)) {
      slow.send(head("/nowhere", 60_000));
      assertOrderIsServed();
      assertThat(slow.answer()).startsWith("HTTP/1.1 408 ");
    }
  }

  private static String head(String path, int length) {
    return format(
        "POST %s HTTP/1.1\r\nHost: localhost\r\nContent-Length: %d\r\n\r\n", path, length);
  }

  private static void assertOrderIsServed() throws IOException {
    try (var client = buy()) {
      assertThat(client.answer()).startsWith("HTTP/1.1 200 ");
    }
  }

  /// Sends the whole request in one packet.
  private static RawClient buy() throws IOException {
    return new RawClient(port).send(head("/orders", ORDER.length()) + ORDER);
  }
}
