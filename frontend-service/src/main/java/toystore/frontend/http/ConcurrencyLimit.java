package toystore.frontend.http;

import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/// Limits the concurrent calls of one kind. Further calls wait, then are refused (503). Any thread.
public final class ConcurrencyLimit {
  private final Semaphore permits;
  private final int maxWaiting;
  private final Duration waitTime;

  /// @param maxWaiting from 1; approximate maximum number of waiting calls; further calls are
  ///   refused at once
  public ConcurrencyLimit(int maxCalls, int maxWaiting, Duration waitTime) {
    this.permits = new Semaphore(maxCalls, true);
    this.maxWaiting = maxWaiting;
    this.waitTime = waitTime;
  }

  public <T> T call(Supplier<T> call) {
    if (!acquired()) {
      throw ApiException.of(
          ApiErrorReason.OVERLOADED,
          "server is overloaded; the request was not processed; retry later");
    }
    try {
      return call.get();
    } finally {
      permits.release();
    }
  }

  private boolean acquired() {
    try {
      return permits.getQueueLength() < maxWaiting
          && permits.tryAcquire(waitTime.toNanos(), TimeUnit.NANOSECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }
}
