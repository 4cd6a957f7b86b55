package toystore.frontend.http;

import java.io.IOException;
import java.util.concurrent.Executor;
import java.util.concurrent.Semaphore;
import org.springframework.core.task.SimpleAsyncTaskExecutor;
import org.springframework.stereotype.Component;

/// Bounds how many requests are in progress. Tomcat's poller hands over each connection that has
/// something to read; while the limit is reached the poller waits, and requests stay unread in
/// their connections, where they take no heap. Each runs on a virtual thread.
///
/// A request that waits for its body does not count, so that slow senders do not keep others out; a
/// second limit bounds these. A request and its connection take about 65 kB of the heap while they
/// are in progress, and the heap has room for both limits.
///
/// Any thread.
@Component
final class RequestLimiter implements Executor {
  private static final int MAX_IN_PROGRESS = 256;
  private static final int MAX_WITH_SLOW_BODIES = 1_200;

  private final Semaphore permits = new Semaphore(MAX_IN_PROGRESS, true);
  private final SimpleAsyncTaskExecutor threads = new SimpleAsyncTaskExecutor("tomcat-handler-");

  RequestLimiter() {
    threads.setVirtualThreads(true);
    threads.setConcurrencyLimit(MAX_WITH_SLOW_BODIES);
  }

  @Override
  public void execute(Runnable connection) {
    permits.acquireUninterruptibly();
    threads.execute(() -> {
      try {
        connection.run();
      } finally {
        permits.release();
      }
    });
  }

  /// Blocking reads of a body.
  interface BodyReader {
    byte[] read() throws IOException;
  }

  /// Reads from a client outside the limit. Called by a request in progress.
  byte[] readOutsideLimit(BodyReader body) throws IOException {
    permits.release();
    try {
      return body.read();
    } finally {
      permits.acquireUninterruptibly();
    }
  }
}
