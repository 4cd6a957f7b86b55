package toystore.exchange.xml;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Iterator;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import toystore.exchange.ExchangeCommand;
import toystore.exchange.ExchangeResult;
import toystore.platform.storage.NotExecutedException;

/// Submits commands in order, without waiting for each, and returns their results in this order.
/// One thread.
///
/// The pipelines of all connections share permits. A pipeline waits for a permit, so the writer's
/// queue does not refuse a command because of a burst of connections.
final class CommandPipeline {
  private static final Logger log = LoggerFactory.getLogger(CommandPipeline.class);
  private static final int BOUND = 500; // as many as the writer's batch

  private final Function<ExchangeCommand, CompletionStage<ExchangeResult>> writer;
  private final Semaphore permits;
  private final Duration deadline;
  private final Iterator<RequestChild> children;
  private long progressed = System.nanoTime();
  private final Queue<CompletableFuture<ExchangeResult>> outstanding = new ArrayDeque<>();

  /// @param deadline maximum time without a result
  CommandPipeline(
      Function<ExchangeCommand, CompletionStage<ExchangeResult>> writer,
      Semaphore permits,
      Duration deadline,
      Iterator<RequestChild> children) {
    this.writer = writer;
    this.permits = permits;
    this.deadline = deadline;
    this.children = children;
  }

  /// Number of commands whose results were not taken yet.
  int outstanding() {
    return outstanding.size();
  }

  /// Writes the result of the next command.
  void next(RequestChild child, ResultsWriter results) throws InterruptedException {
    while (outstanding.size() < BOUND && children.hasNext()) {
      outstanding.add(submit(children.next()));
    }
    try {
      results.result(child, outstanding.remove().get(left(), TimeUnit.NANOSECONDS));
      progressed = System.nanoTime();
    } catch (TimeoutException _) {
      results.error(
          child, "no answer within %d s; the result is unknown".formatted(deadline.toSeconds()));
    } catch (ExecutionException e) {
      results.error(child, message(e.getCause()));
    }
  }

  private CompletableFuture<ExchangeResult> submit(RequestChild child) throws InterruptedException {
    if (child.command() == null) {
      return CompletableFuture.failedFuture(NotExecutedException.because(child.refusal()));
    }
    if (!permits.tryAcquire() && !permits.tryAcquire(left(), TimeUnit.NANOSECONDS)) {
      return CompletableFuture.failedFuture(NotExecutedException.because(FrameReader.OVERLOADED));
    }
    CompletionStage<ExchangeResult> result = writer.apply(child.command());
    return result.whenComplete((_, _) -> permits.release()).toCompletableFuture();
  }

  private long left() {
    return Math.max(0, progressed + deadline.toNanos() - System.nanoTime());
  }

  private static String message(@Nullable Throwable failure) {
    if (failure instanceof NotExecutedException notExecuted) {
      return String.valueOf(notExecuted.getMessage());
    }
    log.error("a command failed", failure);
    return "internal error; the result is unknown";
  }
}
