package toystore.frontend.http;

import java.io.IOException;
import java.util.concurrent.Executor;
import java.util.concurrent.Semaphore;
import org.springframework.core.task.SimpleAsyncTaskExecutor;
import org.springframework.stereotype.Component;

/// Limits the number of requests in progress. Tomcat's poller passes each readable connection to
/// this executor. When the limit is reached, the poller blocks. Further requests then stay unread
/// in their sockets and use no heap. Each request runs on a virtual thread.
///
/// A request that waits for its body does not count, so slow senders do not block others. A second
/// limit bounds the total including those requests. A request in progress and its connection use
/// about 65 kB of heap. The heap is large enough for both limits.
///
/// Any thread.
@Component
final class RequestLimiter implements Executor {
  /// More than the requests that may take seconds: 64 + 150 registrations and logins and 32 + 8
  /// purchases, including those that wait.
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
    try {
      threads.execute(() -> runWithPermit(connection));
    } catch (RuntimeException | Error notStarted) {
      permits.release();
      throw notStarted;
    }
  }

  private void runWithPermit(Runnable connection) {
    try {
      connection.run();
    } finally {
      permits.release();
    }
  }

  /// A blocking read of a request body.
  interface BodyReader {
    byte[] read() throws IOException;
  }

  /// Releases the permit of the calling request while `body` is read.
  byte[] readOutsideLimit(BodyReader body) throws IOException {
    permits.release();
    try {
      return body.read();
    } finally {
      permits.acquireUninterruptibly();
    }
  }
}
