package toystore.exchange.xml;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Iterator;
import java.util.Locale;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import toystore.exchange.ExchangeCommand;
import toystore.exchange.ExchangeRequest;
import toystore.exchange.ExchangeResult;
import toystore.platform.storage.NotExecutedException;

/// Submits commands in order, without waiting for each, and returns their results in this order. A
/// query begins when all commands before it are answered, and commands after it are submitted when
/// it is answered, so it sees those before it only. One thread.
///
/// The pipelines of all connections share permits. A pipeline waits for a permit, so the writer's
/// queue does not refuse a command because of a burst of connections.
final class CommandPipeline {
  private static final Logger log = LoggerFactory.getLogger(CommandPipeline.class);
  private static final int BOUND = 500; // as many as the writer's batch

  private final XmlGateway gateway;
  private final Duration deadline;
  private final Iterator<RequestChild> children;
  private @Nullable RequestChild following; // of the children, not submitted yet
  private long progressed = System.nanoTime();
  private final Queue<CompletableFuture<ExchangeResult>> outstanding = new ArrayDeque<>();

  CommandPipeline(XmlGateway gateway, Iterator<RequestChild> children) {
    this.gateway = gateway;
    this.deadline = gateway.limits().deadline();
    this.children = children;
  }

  /// Number of commands whose results were not taken yet.
  int outstanding() {
    return outstanding.size();
  }

  /// Writes the result of the next command or query.
  void next(RequestChild child, ResultsWriter results) throws InterruptedException, IOException {
    submitUpToNextQuery();
    if (outstanding.isEmpty() && child.request() instanceof ExchangeRequest.FindOrder query) {
      following = null;
      read(child, query, results);
      return;
    }
    try {
      ExchangeResult result = outstanding.remove().get(left(), TimeUnit.NANOSECONDS);
      if (result instanceof ExchangeResult.OrderClosed
          && child.request() instanceof ExchangeCommand.CancelOrder(var account, long order)) {
        read(child, new ExchangeRequest.FindOrder(account, order), results);
      } else {
        results.result(child, result);
      }
      progressed = System.nanoTime();
    } catch (TimeoutException _) {
      results.error(
          child,
          String.format(
              Locale.ROOT, "no answer within %d s; the result is unknown", deadline.toSeconds()));
    } catch (ExecutionException e) {
      results.error(child, message(e.getCause()));
    }
  }

  private void submitUpToNextQuery() throws InterruptedException {
    while (outstanding.size() < BOUND
        && (outstanding.isEmpty() || !gateway.memory().isExceeded())) {
      if (following == null && children.hasNext()) {
        following = children.next();
      }
      if (following == null || following.request() instanceof ExchangeRequest.FindOrder) {
        return;
      }
      outstanding.add(submit(following));
      following = null;
    }
  }

  private CompletableFuture<ExchangeResult> submit(RequestChild child) throws InterruptedException {
    if (!(child.request() instanceof ExchangeCommand command)) {
      return CompletableFuture.failedFuture(NotExecutedException.because(child.refusal()));
    }
    var permits = gateway.permits();
    if (!permits.tryAcquire() && !permits.tryAcquire(left(), TimeUnit.NANOSECONDS)) {
      return CompletableFuture.failedFuture(NotExecutedException.because(FrameReader.OVERLOADED));
    }
    CompletionStage<ExchangeResult> result = gateway.execute(command);
    return result.whenComplete((_, _) -> permits.release()).toCompletableFuture();
  }

  /// Reads an order and writes it. After a cancel it cannot change any more, so it may be read
  /// late.
  private void read(RequestChild child, ExchangeRequest.FindOrder query, ResultsWriter results)
      throws InterruptedException, IOException {
    if (!gateway.reads().reserve(XmlGateway.READ_BYTES, left())) {
      results.error(child, notRead(child, FrameReader.OVERLOADED));
      return;
    }
    try {
      results.result(
          child, gateway.find(query).toCompletableFuture().get(left(), TimeUnit.NANOSECONDS));
      progressed = System.nanoTime();
    } catch (TimeoutException _) {
      results.error(
          child,
          notRead(
              child, String.format(Locale.ROOT, "no answer within %d s", deadline.toSeconds())));
    } catch (ExecutionException e) {
      results.error(child, notRead(child, message(e.getCause())));
    } finally {
      gateway.reads().release(XmlGateway.READ_BYTES);
    }
  }

  private static String notRead(RequestChild child, String message) {
    return child.kind() == RequestChild.Kind.CANCEL
        ? "the order is not open any more, but was not read; query it: " + message
        : message;
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
