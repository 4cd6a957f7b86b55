package toystore.frontend.http;

import static org.assertj.core.api.Assertions.assertThat;
import static toystore.clients.Conditions.await;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// A thread passes requests to the limiter without end, as Tomcat's poller does; each ends when the
/// test lets it.
@Timeout(30)
class RequestLimiterTest {
  private static final int REQUESTS = 10_000;
  private static final int PIPELINED_CONNECTIONS = 500;

  private final RequestLimiter limiter = new RequestLimiter();
  private final Semaphore ends = new Semaphore(0);
  private final Semaphore waits = new Semaphore(0);
  private final AtomicInteger begun = new AtomicInteger();
  private final AtomicInteger ended = new AtomicInteger();
  private Thread poller = Thread.ofPlatform().unstarted(() -> {});

  private void pass(Runnable request) {
    poller =
        Thread.ofPlatform()
            .start(() -> {
              for (int i = 0; i < REQUESTS; i++) {
                limiter.execute(request);
              }
            });
  }

  @AfterEach
  void stop() throws InterruptedException {
    waits.release(2 * REQUESTS);
    ends.release(2 * REQUESTS);
    poller.join();
    await(() -> ended.get() == REQUESTS);
  }

  private void run() {
    begun.incrementAndGet();
    ends.acquireUninterruptibly();
    limiter.grow();
    ended.incrementAndGet();
  }

  private void runAfterWait() {
    begun.incrementAndGet();
    limiter.waitOutsideLimit(() -> {
      waits.acquireUninterruptibly();
      return "";
    });
    ended.incrementAndGet();
  }

  @Test
  void limitOfANewProcessGrowsWithItsAnswers() {
    pass(this::run);
    awaitInProgress(16);
    answer(16);
    awaitInProgress(17);
    answer(160);
    awaitInProgress(27);
    answer(5_000);
    awaitInProgress(256);
  }

  @Test
  void requestThatWaitsForAServiceDoesNotCount() {
    pass(this::runAfterWait);
    await(() -> begun.get() > 500);
    assertThat(ended).hasValue(0);
  }

  @Test
  void connectionsThatPipelineLetOthersGoFirst() {
    pass(() -> {
      begun.incrementAndGet();
      do {
        limiter.beginRequest();
      } while (begun.get() < PIPELINED_CONNECTIONS);
      ended.incrementAndGet();
    });
    await(() -> begun.get() >= PIPELINED_CONNECTIONS);
  }

  @Test
  void connectionsThatBlockNowhereLetOthersRun() throws InterruptedException {
    ended.set(REQUESTS); // there is no poller
    int connections = 16; // all have a permit, and they are more than the carrier threads
    var done = new CountDownLatch(connections);
    var late = new AtomicBoolean();
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(5);
    for (int i = 0; i < connections; i++) {
      limiter.execute(() -> {
        begun.incrementAndGet();
        while (begun.get() < connections && !late.get()) {
          limiter.beginRequest();
          late.compareAndSet(false, System.nanoTime() > end);
        }
        done.countDown();
      });
    }
    done.await();
    assertThat(late).isFalse();
  }

  private void answer(int requests) {
    int before = ended.get();
    ends.release(requests);
    await(() -> ended.get() == before + requests);
  }

  /// Waits until this many requests are in progress and the next one waits.
  private void awaitInProgress(int requests) {
    await(() -> begun.get() - ended.get() == requests && poller.getState() == Thread.State.WAITING);
  }
}
