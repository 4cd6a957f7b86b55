package toystore.torture;

import io.grpc.ManagedChannel;
import io.grpc.ManagedChannelBuilder;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.concurrent.TimeUnit;
import toystore.common.v1.AuditCheck;
import toystore.order.v1.AuditRequest;
import toystore.order.v1.OrderServiceGrpc;

/// An order service's book, as its operator sees it.
final class Book {
  private Book() {}

  /// Whether it holds all that the catalog sold.
  static boolean isComplete(StoreProcesses store) {
    try {
      return readiness(store).statusCode() == 200;
    } catch (IOException away) {
      return false;
    }
  }

  /// Whether it goes so far.
  static boolean holds(StoreProcesses store, long orders) throws IOException {
    return readiness(store).body().contains("\"orders\":%d".formatted(orders));
  }

  /// What its readiness says.
  static HttpResponse<String> readiness(StoreProcesses store) throws IOException {
    var uri =
        URI.create(
            "http://127.0.0.1:%d/health/readiness".formatted(store.port("order-management")));
    try (var client = HttpClient.newHttpClient()) {
      return client.send(HttpRequest.newBuilder(uri).build(), HttpResponse.BodyHandlers.ofString());
    } catch (InterruptedException e) {
      throw new IllegalStateException("nobody interrupts a trial", e);
    }
  }

  /// Where book and catalog differ, as its full audit finds it.
  static List<String> faults(StoreProcesses store) {
    ManagedChannel channel =
        ManagedChannelBuilder.forAddress("127.0.0.1", store.port("order")).usePlaintext().build();
    try {
      return OrderServiceGrpc.newBlockingStub(channel)
          .withDeadlineAfter(30, TimeUnit.SECONDS)
          .audit(AuditRequest.newBuilder().setFull(true).build())
          .getChecksList()
          .stream()
          .filter(check -> !check.getOk())
          .map(AuditCheck::getDetail)
          .toList();
    } finally {
      channel.shutdownNow();
    }
  }
}
