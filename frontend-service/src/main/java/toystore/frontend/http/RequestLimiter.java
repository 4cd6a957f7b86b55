package toystore.frontend.http;

import jakarta.servlet.Filter;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.Executor;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.core.task.SimpleAsyncTaskExecutor;
import org.springframework.stereotype.Component;

/// Limits the number of requests in progress. Tomcat's poller passes each readable connection to
/// this executor, and blocks when the limit is reached: further requests stay unread in their
/// sockets and use no heap. Each request runs on a virtual thread.
///
/// Tomcat does not ask the executor again for the next request of a connection. So before each, the
/// connection gives its permit to one that waits, and waits for another: clients that pipeline must
/// not hold all permits. It also gives up its carrier thread: a query that the product cache
/// answers blocks nowhere, and the JDK does not preempt virtual threads.
///
/// Slow start: the limit begins low and grows with the answers, because the code of a new process
/// is slow until the JVM has compiled it, and the first requests of a crowd would share the
/// processors until all of their calls exceed their deadlines.
///
/// A request that waits for its body, or seconds for a service, does not count. A second limit
/// bounds the total, as each uses about 65 kB of heap. Any thread.
@Component
@Order(Ordered.HIGHEST_PRECEDENCE)
public final class RequestLimiter implements Executor, Filter {
  private static final int MAX_IN_PROGRESS = 256;
  private static final int MAX_WITH_WAITING = 1_200;

  /// With this many, a process that answers 20 requests per second meets the deadline of 1 s.
  private static final int INITIAL_IN_PROGRESS = 16;

  /// The limit is full after about 4,000 answers.
  private static final int ANSWERS_PER_STEP = 16;

  /// Set in the thread of a connection after its first request.
  private static final ThreadLocal<Boolean> LATER_REQUEST = ThreadLocal.withInitial(() -> false);

  private final Semaphore permits = new Semaphore(INITIAL_IN_PROGRESS, true);
  private final AtomicInteger answersUntilFull =
      new AtomicInteger((MAX_IN_PROGRESS - INITIAL_IN_PROGRESS) * ANSWERS_PER_STEP);
  private final SimpleAsyncTaskExecutor threads = new SimpleAsyncTaskExecutor("tomcat-handler-");
  private volatile long lastRequestNanos = System.nanoTime();

  RequestLimiter() {
    threads.setVirtualThreads(true);
    threads.setConcurrencyLimit(MAX_WITH_WAITING);
  }

  @Override
  public void execute(Runnable connection) {
    lastRequestNanos = System.nanoTime();
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

  @Override
  public void doFilter(ServletRequest request, ServletResponse response, FilterChain chain)
      throws IOException, ServletException {
    beginRequest();
    try {
      chain.doFilter(request, response);
    } finally {
      grow();
    }
  }

  void beginRequest() {
    if (LATER_REQUEST.get()) {
      LockSupport.parkNanos(1); // the JDK resumes the thread behind those that are ready to run
      if (permits.hasQueuedThreads()) {
        permits.release();
        permits.acquireUninterruptibly();
      }
    }
    LATER_REQUEST.set(true);
  }

  /// Counts an answer; each 16th raises the limit by one, until it is full.
  void grow() {
    if (answersUntilFull.get() > 0) {
      int left = answersUntilFull.decrementAndGet();
      if (left >= 0 && left % ANSWERS_PER_STEP == 0) {
        permits.release();
      }
    }
  }

  /// The time since a connection had something to read.
  Duration idleTime() {
    return permits.hasQueuedThreads() // a connection waits for a permit
        ? Duration.ZERO
        : Duration.ofNanos(System.nanoTime() - lastRequestNanos);
  }

  public interface Wait<T, E extends Exception> {
    T run() throws E;
  }

  /// Releases the permit of the calling request while it waits.
  public <T, E extends Exception> T waitOutsideLimit(Wait<T, E> wait) throws E {
    permits.release();
    try {
      return wait.run();
    } finally {
      permits.acquireUninterruptibly();
    }
  }
}
