package toystore.payment.domain;

import static toystore.common.RootLocale.format;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import toystore.platform.storage.NotExecutedException;
import toystore.platform.text.Limits;

/// Faults that calls meet. A delayed call is processed even if its caller no longer waits: on the
/// way to a real provider, too, a request may arrive after the void of its payment. No thread waits
/// for a delay or a lost answer. Any thread.
public final class SandboxFaults {
  public static final Duration MAX_DELAY = Duration.ofSeconds(60);
  public static final int MAX_LOST_ANSWERS = 1_000_000;
  public static final int MAX_DELAYED_CALLS = 10_000;

  private final Semaphore delayable = new Semaphore(MAX_DELAYED_CALLS);
  private final AtomicInteger lostAnswers = new AtomicInteger();
  private volatile Duration delay = Duration.ZERO;

  /// Replaces all faults.
  ///
  /// @param lostAnswers number of next changes that are processed and never answered
  public void set(Duration delay, int lostAnswers) {
    if (delay.isNegative() || delay.compareTo(MAX_DELAY) > 0) {
      throw new IllegalArgumentException("delay must be from 0 to 60 s, got " + delay);
    }
    Limits.check("lost_answers", lostAnswers, 0, MAX_LOST_ANSWERS);
    this.delay = delay;
    this.lostAnswers.set(lostAnswers);
  }

  /// If its answer is lost, the future never completes, and the call ends at its caller's deadline.
  public <A> CompletionStage<A> change(Supplier<CompletionStage<A>> call) {
    return read(call)
        .thenCompose(answer ->
            takesLostAnswer()
                ? new CompletableFuture<>()
                : CompletableFuture.completedFuture(answer));
  }

  public <A> CompletionStage<A> read(Supplier<CompletionStage<A>> call) {
    Duration current = delay;
    if (current.isZero()) {
      return call.get();
    }
    if (!delayable.tryAcquire()) {
      return CompletableFuture.failedFuture(
          NotExecutedException.because(
              format(
                  "%d calls are delayed already; the request was not processed; retry later",
                  MAX_DELAYED_CALLS)));
    }
    return CompletableFuture.supplyAsync(
            () -> {
              delayable.release();
              return call.get();
            },
            CompletableFuture.delayedExecutor(current.toMillis(), TimeUnit.MILLISECONDS))
        .thenCompose(it -> it);
  }

  private boolean takesLostAnswer() {
    return lostAnswers.getAndUpdate(it -> Math.max(0, it - 1)) > 0;
  }
}
