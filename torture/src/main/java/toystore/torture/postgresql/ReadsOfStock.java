package toystore.torture.postgresql;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import toystore.testkit.HttpTestClient;
import toystore.testkit.HttpTestClient.Reply;
import toystore.testkit.StoreProcesses;

/// Clients that read the stock of Tux. It must contain every order that was acknowledged before the
/// read began: a process that was taken over must not answer with an older stock.
final class ReadsOfStock implements AutoCloseable {
  private static final Pattern QUANTITY = Pattern.compile("\"quantity\":(\\d+)");
  private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private final List<Future<?>> readers = new ArrayList<>();
  private volatile boolean reading = true;

  /// @param orders the number of acknowledged orders
  ReadsOfStock(int clients, LongSupplier orders, HttpTestClient... frontends) {
    for (int i = 0; i < clients; i++) {
      HttpTestClient frontend = frontends[i % frontends.length];
      readers.add(
          threads.submit(() -> {
            while (reading) {
              read(frontend, StoreProcesses.TUX - orders.getAsLong());
              LockSupport.parkNanos(PAUSE_NANOS);
            }
          }));
    }
  }

  private static void read(HttpTestClient frontend, long most) {
    Reply reply;
    try {
      reply = frontend.get("/products/Tux");
    } catch (IOException down) {
      return;
    }
    assertThat(reply.status()).as(reply.body()).isIn(200, 503, 504);
    if (reply.status() == 200) {
      Matcher quantity = QUANTITY.matcher(reply.body());
      assertThat(quantity.find()).as(reply.body()).isTrue();
      assertThat(Long.parseLong(quantity.group(1))).as("stock").isLessThanOrEqualTo(most);
    }
  }

  /// Stops the clients.
  ///
  /// @throws ExecutionException if one of them read an older stock
  void stop() throws ExecutionException, InterruptedException {
    reading = false;
    for (Future<?> reader : readers) {
      reader.get();
    }
  }

  @Override
  public void close() {
    reading = false;
    threads.shutdownNow();
  }
}
