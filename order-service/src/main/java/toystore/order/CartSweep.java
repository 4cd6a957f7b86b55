package toystore.order;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.LongFunction;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import toystore.platform.idempotency.Submitted;
import toystore.platform.service.EndedSessionsClient;
import toystore.platform.storage.SingleWriter;

/// Deletes the unsaved carts of sessions that ended, from time to time. Normally the frontend tells
/// of each logout, but sessions also end by themselves. A cart is deleted only if the account
/// service says that its session has ended.
final class CartSweep implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(CartSweep.class);

  /// As many as one request to the account service may have.
  static final int PAGE = EndedSessionsClient.MAX_SESSIONS;

  private final LongFunction<CompletionStage<List<Long>>> sessionsAfter;
  private final EndedSessionsClient accounts;
  private final SingleWriter<OrderDecider> writer;
  private final ScheduledExecutorService scheduler =
      Executors.newSingleThreadScheduledExecutor(
          Thread.ofPlatform().daemon().name("cart-sweep").factory());

  /// @param sessionsAfter the next sessions with a cart of their own, at most [#PAGE]
  /// @param interval zero: never
  CartSweep(
      LongFunction<CompletionStage<List<Long>>> sessionsAfter,
      EndedSessionsClient accounts,
      SingleWriter<OrderDecider> writer,
      Duration interval) {
    this.sessionsAfter = sessionsAfter;
    this.accounts = accounts;
    this.writer = writer;
    if (!interval.isZero()) {
      scheduler.scheduleWithFixedDelay(
          this::trySweep, interval.toMillis(), interval.toMillis(), TimeUnit.MILLISECONDS);
    }
  }

  @Override
  public void close() {
    scheduler.shutdownNow();
  }

  private void trySweep() {
    try {
      sweep();
    } catch (RuntimeException e) {
      log.warn("cannot search for carts of ended sessions, trying again later: {}", e.getMessage());
    }
  }

  /// Asks for all sessions with a cart of their own, page by page.
  void sweep() {
    long after = 0;
    while (true) {
      List<Long> sessions = await(sessionsAfter.apply(after));
      if (sessions.isEmpty()) {
        return;
      }
      List<Long> ended = await(accounts.ended(sessions));
      if (!ended.isEmpty()) {
        await(writer.submit(new Submitted<>(new OrderCommand.EndSessions(ended))));
      }
      after = sessions.getLast();
    }
  }

  private static <T> T await(CompletionStage<T> answer) {
    return answer.toCompletableFuture().join();
  }
}
