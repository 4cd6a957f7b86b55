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

/// How a frontend stops.
@Timeout(30)
class DrainTest {
  private static final String ORDER = "{\"name\":\"Tux\",\"quantity\":1}";

  private final Shop shop = Shop.open();
  private final CompletableFuture<StreamObserver<PlaceOrderResponse>> asked =
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
                    asked.complete(answer);
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
  void whatWasAcceptedIsFinishedAndTheRestIsRefused() throws Exception {
    try (var frontend =
        Shop.frontend(
            "--toystore.admin-token=" + Shop.TOKEN,
            "--toystore.frontend.deadline=20s",
            "--toystore.frontend.order-target=static://127.0.0.1:" + orders.getPort())) {
      int port = Shop.port(frontend, "local.server.port");
      int management = Shop.port(frontend, "local.management.port");
      var accepted =
          CompletableFuture.supplyAsync(() -> shop.sendTo(port, "POST", "/orders", ORDER));
      var answer = asked.get(10, TimeUnit.SECONDS);

      var stopped = CompletableFuture.runAsync(frontend::close);
      while (shop.sendTo(port, "GET", "/nowhere", "").statusCode() != 503) {
        Thread.onSpinWait();
      }
      var refused = shop.sendTo(port, "POST", "/orders", ORDER);
      assertThat(Shop.reply(refused))
          .isEqualTo(Shop.error(503, "the store is stopping, nothing was done: try again"));
      assertThat(refused.headers().firstValue("Retry-After")).hasValue("1");
      assertThat(refused.headers().firstValue("Connection")).hasValue("close");
      assertThat(shop.sendTo(management, "GET", "/health/readiness", "").statusCode())
          .isEqualTo(503);
      assertThat(shop.sendTo(management, "GET", "/health/liveness", "").statusCode())
          .isEqualTo(200);

      answer.onNext(PlaceOrderResponse.newBuilder().setNumber(7).build());
      answer.onCompleted();
      assertThat(Shop.reply(accepted.get(10, TimeUnit.SECONDS)))
          .isEqualTo(Shop.data(200, "{\"order_number\":7}"));
      stopped.get(10, TimeUnit.SECONDS);
    }
  }
}
