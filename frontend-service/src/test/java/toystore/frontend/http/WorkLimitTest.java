package toystore.frontend.http;

import static org.assertj.core.api.Assertions.assertThat;
import static toystore.common.RootLocale.format;

import io.github.resilience4j.bulkhead.BulkheadConfig;
import io.grpc.Server;
import io.grpc.ServerBuilder;
import io.grpc.stub.StreamObserver;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.springframework.context.ConfigurableApplicationContext;
import toystore.clients.RawClient;
import toystore.frontend.FakedFrontend;
import toystore.frontend.RunningFrontend;
import toystore.order.v1.OrderServiceGrpc;
import toystore.order.v1.PlaceOrderRequest;
import toystore.order.v1.PlaceOrderResponse;

/// The call limit of a frontend with one permit. The test decides when the fake order service
/// answers.
class WorkLimitTest {
  private static final String ORDER = "{\"name\":\"Tux\",\"quantity\":1}";
  private static final String REFUSAL =
      "server is overloaded (1 calls to order in progress); the request was not processed; retry later";

  private static final FakedFrontend shop = FakedFrontend.open();
  private static final BlockingQueue<StreamObserver<PlaceOrderResponse>> pendingOrders =
      new LinkedBlockingQueue<>();
  private static Server orders;
  private static ConfigurableApplicationContext frontend;
  private static int port;

  @BeforeAll
  static void startWithOnePermit() throws IOException {
    orders =
        ServerBuilder.forPort(0)
            .addService(
                new OrderServiceGrpc.OrderServiceImplBase() {
                  @Override
                  public void placeOrder(
                      PlaceOrderRequest request, StreamObserver<PlaceOrderResponse> answer) {
                    pendingOrders.add(answer);
                  }
                })
            .build()
            .start();
    frontend =
        RunningFrontend.frontend(
            context ->
                context
                    .getBeanFactory()
                    .registerSingleton(
                        "onePermit",
                        BulkheadConfig.custom()
                            .maxConcurrentCalls(1)
                            .maxWaitDuration(Duration.ofMillis(500))
                            .fairCallHandlingStrategyEnabled(true)
                            .build()),
            "--toystore.admin-token=" + RunningFrontend.TOKEN,
            "--toystore.deadline=30s",
            "--server.tomcat.connection-timeout=2s",
            "--toystore.frontend.order-target=static://127.0.0.1:" + orders.getPort());
    port = RunningFrontend.port(frontend, "local.server.port");
  }

  @AfterAll
  static void close() {
    frontend.close();
    orders.shutdownNow();
  }

  @Test
  void requestReturns503AfterTheWaitTimeAndTheNextIsServed() throws Exception {
    try (var first = buy()) {
      var working = pendingOrders.take();

      var refused = shop.sendTo(port, "POST", "/orders", ORDER);

      assertThat(RunningFrontend.reply(refused))
          .isEqualTo(RunningFrontend.error(503, "OVERLOADED", REFUSAL));
      assertThat(refused.headers().firstValue("Retry-After")).hasValue("1");
      assertThat(refused.headers().firstValue("Idempotency-Key")).isPresent();
      answer(working, 1);
      assertThat(first.answer()).endsWith("{\"data\":{\"order_number\":1}}");
    }
    assertThat(pendingOrders).isEmpty();
    assertOrderIsServed();
  }

  @Test
  void waitingRequestIsServedWhenAPermitIsReleased() throws Exception {
    try (var first = buy();
        var second = buy()) {
      answer(pendingOrders.take(), 1);
      answer(pendingOrders.take(), 1);
      assertThat(first.answer()).endsWith("{\"data\":{\"order_number\":1}}");
      assertThat(second.answer()).endsWith("{\"data\":{\"order_number\":1}}");
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
      answer(pendingOrders.take(), 2);
      assertThat(slow.getFirst().answer()).startsWith("HTTP/1.1 200 ");
    } finally {
      for (RawClient client : slow) {
        client.close();
      }
    }
  }

  @Test
  void requestReturns503IfItsBodyArrivesWhileNoPermitIsFree() throws Exception {
    try (var slow = new RawClient(port).send(head("/orders", ORDER.length()))) {
      assertOrderIsServed();
      try (var _ = buy()) {
        var working = pendingOrders.take();
        assertThat(slow.send(ORDER).answer()).startsWith("HTTP/1.1 503 ");
        answer(working, 1);
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

  private static void assertOrderIsServed() throws Exception {
    try (var client = buy()) {
      answer(pendingOrders.take(), 1);
      assertThat(client.answer()).startsWith("HTTP/1.1 200 ");
    }
  }

  /// Sends the whole request in one packet.
  private static RawClient buy() throws IOException {
    return new RawClient(port).send(head("/orders", ORDER.length()) + ORDER);
  }

  private static void answer(StreamObserver<PlaceOrderResponse> order, long number) {
    order.onNext(PlaceOrderResponse.newBuilder().setNumber(number).build());
    order.onCompleted();
  }
}
