package toystore.frontend.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.grpc.Server;
import io.grpc.ServerBuilder;
import io.grpc.stub.StreamObserver;
import java.io.IOException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.context.ConfigurableApplicationContext;
import toystore.clients.Conditions;
import toystore.clients.RawClient;
import toystore.frontend.FakedFrontend;
import toystore.frontend.RunningFrontend;
import toystore.order.v1.OrderServiceGrpc;
import toystore.order.v1.PlaceOrderRequest;
import toystore.order.v1.PlaceOrderResponse;

/// Graceful shutdown of the frontend.
@Timeout(30)
class DrainTest {
  private static final String ORDER = "{\"name\":\"Tux\",\"quantity\":1}";

  private static final String NOWHERE = "GET /nowhere HTTP/1.1\r\nHost: localhost\r\n\r\n";

  private static final int CLIENTS = 12;

  private final FakedFrontend shop = FakedFrontend.open();
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
  void shutdownFinishesAcceptedRequestsAndAcceptsNoConnections() throws Exception {
    try (var frontend = frontend()) {
      int port = RunningFrontend.port(frontend, "local.server.port");
      var accepted =
          CompletableFuture.supplyAsync(() -> shop.sendTo(port, "POST", "/orders", ORDER));
      var answer = pendingOrder.get(10, TimeUnit.SECONDS);

      var stopped = CompletableFuture.runAsync(frontend::close);
      awaitClosed(port);

      assertThat(accepted).isNotDone();
      answer.onNext(PlaceOrderResponse.newBuilder().setNumber(7).build());
      answer.onCompleted();
      assertThat(RunningFrontend.reply(accepted.get(10, TimeUnit.SECONDS)))
          .isEqualTo(RunningFrontend.data(200, "{\"order_number\":7}"));
      stopped.get(10, TimeUnit.SECONDS);
    }
  }

  @Test
  void shutdownEndsEachKeepAliveConnectionWithAResponseThatSaysSo() throws Exception {
    try (var frontend = frontend();
        var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      int port = RunningFrontend.port(frontend, "local.server.port");
      var begun = new CountDownLatch(CLIENTS);
      var clients =
          IntStream.range(0, CLIENTS)
              .mapToObj(_ -> threads.submit(() -> requestUntilClosed(port, begun)))
              .toList();
      begun.await();

      frontend.close();

      for (var client : clients) {
        assertThat(client.get(10, TimeUnit.SECONDS)).contains("\r\nConnection: close\r\n");
      }
    }
  }

  /// Sends requests on one connection until a response says that it is the last one.
  ///
  /// @return the head of the last response
  private static String requestUntilClosed(int port, CountDownLatch begun) throws IOException {
    try (var connection = new RawClient(port)) {
      String answer = connection.send(NOWHERE).answer();
      begun.countDown();
      while (answer.startsWith("HTTP/1.1 404 ") && !answer.contains("Connection: close")) {
        answer = connection.send(NOWHERE).answer();
      }
      assertThat(connection.rest()).isEmpty();
      return answer;
    }
  }

  private ConfigurableApplicationContext frontend() {
    return RunningFrontend.frontend(
        "--toystore.admin-token=" + RunningFrontend.TOKEN,
        "--toystore.deadline=20s",
        "--toystore.frontend.order-target=static://127.0.0.1:" + orders.getPort());
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
