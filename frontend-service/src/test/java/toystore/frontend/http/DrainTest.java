package toystore.frontend.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import toystore.clients.Conditions;
import toystore.clients.RawClient;
import toystore.frontend.RunningFrontend;
import toystore.order.v1.OrderServiceGrpc;

/// Graceful shutdown of the frontend.
@Timeout(30)
class DrainTest {
  private static final String ORDER = "{\"name\":\"Tux\",\"quantity\":1}";

  private static final String NOWHERE = "GET /nowhere HTTP/1.1\r\nHost: localhost\r\n\r\n";

  private static final int CLIENTS = 12;

  private final RunningFrontend shop = RunningFrontend.open();

  @Test
  void shutdownFinishesAcceptedRequestsAndAcceptsNoConnections() throws Exception {
    try (var frontend = shop.another("--toystore.deadline=20s")) {
      int port = RunningFrontend.port(frontend, "local.server.port");
      var answer = new CompletableFuture<Void>();
      shop.faults.delay(OrderServiceGrpc.getPlaceOrderMethod(), answer);
      var accepted =
          CompletableFuture.supplyAsync(() -> shop.sendTo(port, "POST", "/orders", ORDER));
      Conditions.await(() -> shop.faults.sent().contains("PlaceOrder"));

      var stopped = CompletableFuture.runAsync(frontend::close);
      awaitClosed(port);

      assertThat(accepted).isNotDone();
      answer.complete(null);
      assertThat(accepted.get(10, TimeUnit.SECONDS).statusCode()).isEqualTo(200);
      stopped.get(10, TimeUnit.SECONDS);
    }
  }

  @Test
  void shutdownEndsEachKeepAliveConnectionWithAResponseThatSaysSo() throws Exception {
    try (var frontend = shop.another();
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
