package toystore.frontend;

import static org.assertj.core.api.Assertions.assertThat;

import io.grpc.Server;
import io.grpc.ServerBuilder;
import io.grpc.stub.StreamObserver;
import java.io.IOException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import toystore.order.v1.OrderServiceGrpc;
import toystore.order.v1.PlaceOrderRequest;
import toystore.order.v1.PlaceOrderResponse;
import toystore.testkit.Conditions;
import toystore.testkit.RawClient;

/// Graceful shutdown of the frontend.
@Timeout(30)
class DrainTest {
  private static final String ORDER = "{\"name\":\"Tux\",\"quantity\":1}";

  private static final String NOWHERE = "GET /nowhere HTTP/1.1\r\nHost: localhost\r\n\r\n";

  private final RunningFrontend shop = RunningFrontend.open();
  private final CompletableFuture<StreamObserver<PlaceOrderResponse>> pendingOrder =
      new CompletableFuture<>();
  private Server orders;

  @BeforeEach
  void startOrderService() throws IOException {
    orders =
        ServerBuilder.forPort(0)
            .addService(
                new OrderServiceGrpc.OrderServiceImplBase() {
                  @Override
                  public void placeOrder(
                      PlaceOrderRequest request, StreamObserver<PlaceOrderResponse> answer) {
                    pendingOrder.complete(answer);
                  }
                })
            .build()
            .start();
  }

  @AfterEach
  void stopOrderService() {
    orders.shutdownNow();
  }

  @Test
  void shutdownFinishesAcceptedRequestsAndReadsNoMore() throws Exception {
    try (var frontend =
        RunningFrontend.frontend(
            "--toystore.admin-token=" + RunningFrontend.TOKEN,
            "--toystore.frontend.deadline=20s",
            "--toystore.frontend.order-target=static://127.0.0.1:" + orders.getPort())) {
      int port = RunningFrontend.port(frontend, "local.server.port");
      var accepted =
          CompletableFuture.supplyAsync(() -> shop.sendTo(port, "POST", "/orders", ORDER));
      var answer = pendingOrder.get(10, TimeUnit.SECONDS);

      CompletableFuture<Void> stopped;
      try (var connected = new RawClient(port)) {
        assertThat(connected.say(NOWHERE).answer()).startsWith("HTTP/1.1 404 ");
        stopped = CompletableFuture.runAsync(frontend::close);
        awaitClosed(port);
        assertThat(connected.say(NOWHERE).rest()).isEmpty();
      }
      assertThat(accepted).isNotDone();
      answer.onNext(PlaceOrderResponse.newBuilder().setNumber(7).build());
      answer.onCompleted();
      assertThat(RunningFrontend.reply(accepted.get(10, TimeUnit.SECONDS)))
          .isEqualTo(RunningFrontend.data(200, "{\"order_number\":7}"));
      stopped.get(10, TimeUnit.SECONDS);
    }
  }

  /// Waits until new connections are refused.
  private static void awaitClosed(int port) {
    Conditions.await(() -> {
      try (var _ = new RawClient(port)) {
        return false;
      } catch (IOException refused) {
        return true;
      }
    });
  }
}
