package toystore.exchange.xml;

import static toystore.common.RootLocale.format;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Iterator;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import toystore.exchange.domain.ExchangeCommand;
import toystore.exchange.domain.ExchangeCommand.AddShares;
import toystore.exchange.domain.ExchangeCommand.CancelOrder;
import toystore.exchange.domain.ExchangeCommand.CreateAccount;
import toystore.exchange.domain.ExchangeCommand.PlaceOrder;
import toystore.exchange.domain.ExchangeRequest.FindOrder;
import toystore.platform.journal.Answer;
import toystore.platform.storage.NotExecutedException;

/// Submits commands in order, without waiting for each, and returns their results in this order. A
/// query begins when all commands before it are answered, and those after it are submitted when it
/// is answered. One thread.
///
/// The pipelines of all connections share permits, so the writer's queue does not refuse a command
/// because of a burst of connections.
final class CommandPipeline {
  private static final Logger log = LoggerFactory.getLogger(CommandPipeline.class);
  private static final int BOUND = 500; // as many as the writer's batch

  private final XmlGateway gateway;
  private final Duration deadline;
  private final Iterator<RequestChild> children;
  private @Nullable RequestChild following; // of the children, not submitted yet
  private long progressed = System.nanoTime();
  private final Queue<Outstanding<?>> outstanding = new ArrayDeque<>();

  /// @param writing writes what it made or changed
  private record Outstanding<T>(CompletableFuture<Answer<T>> answer, Writing<T> writing) {}

  @FunctionalInterface
  private interface Writing<T> {
    void write(ResultsWriter results, RequestChild child, T value)
        throws InterruptedException, IOException;
  }

  CommandPipeline(XmlGateway gateway, Iterator<RequestChild> children) {
    this.gateway = gateway;
    this.deadline = gateway.limits().deadline();
    this.children = children;
  }

  /// Their results were not taken yet.
  int outstanding() {
    return outstanding.size();
  }

  void next(RequestChild child, ResultsWriter results) throws InterruptedException, IOException {
    submitUpToNextQuery();
    if (outstanding.isEmpty() && child.request() instanceof FindOrder query) {
      following = null;
      read(results, child, query);
    } else {
      take(results, child, outstanding.remove());
    }
  }

  private <T> void take(ResultsWriter results, RequestChild child, Outstanding<T> command)
      throws InterruptedException, IOException {
    try {
      var answer = command.answer.get(left(), TimeUnit.NANOSECONDS);
      write(results, child, answer, command.writing);
      progressed = System.nanoTime();
    } catch (TimeoutException _) {
      results.error(
          child, format("no answer within %d s; the result is unknown", deadline.toSeconds()));
    } catch (ExecutionException e) {
      results.error(child, message(e.getCause()));
    }
  }

  private static <T> void write(
      ResultsWriter results, RequestChild child, Answer<T> answer, Writing<T> writing)
      throws InterruptedException, IOException {
    switch (answer) {
      case Answer.Done<T>(T value, _) -> writing.write(results, child, value);
      case Answer.Refusal<T>(_, String message, _) -> results.error(child, message);
      case Answer.NotDecided<T>(Answer.Cause cause) -> results.error(child, cause.message());
    }
  }

  private void submitUpToNextQuery() throws InterruptedException {
    while (outstanding.size() < BOUND
        && (outstanding.isEmpty() || !gateway.memory().isExceeded())) {
      if (following == null && children.hasNext()) {
        following = children.next();
      }
      if (following == null || following.request() instanceof FindOrder) {
        return;
      }
      outstanding.add(submit(following));
      following = null;
    }
  }

  private Outstanding<?> submit(RequestChild child) throws InterruptedException {
    return child.request() instanceof ExchangeCommand<?> command
        ? submit(command)
        : notSubmitted(child.refusal());
  }

  private Outstanding<?> submit(ExchangeCommand<?> command) throws InterruptedException {
    var permits = gateway.permits();
    if (!permits.tryAcquire() && !permits.tryAcquire(left(), TimeUnit.NANOSECONDS)) {
      return notSubmitted(FrameReader.OVERLOADED);
    }
    return switch (command) {
      case CreateAccount create ->
          execute(create, (results, child, _) -> results.writeCreated(child));
      case AddShares add -> execute(add, (results, child, _) -> results.writeCreated(child));
      case PlaceOrder place ->
          execute(place, (results, child, order) -> results.writeOpened(child, order.number()));
      case CancelOrder cancel -> execute(cancel, this::read);
    };
  }

  private <T> Outstanding<T> execute(ExchangeCommand<T> command, Writing<T> writing) {
    return new Outstanding<>(
        gateway
            .execute(command)
            .whenComplete((_, _) -> gateway.permits().release())
            .toCompletableFuture(),
        writing);
  }

  private static Outstanding<?> notSubmitted(String message) {
    return new Outstanding<>(
        CompletableFuture.failedFuture(NotExecutedException.because(message)), (_, _, _) -> {});
  }

  /// After a cancel the order cannot change any more, so it may be read late.
  private void read(ResultsWriter results, RequestChild child, FindOrder query)
      throws InterruptedException, IOException {
    if (!gateway.reads().reserve(XmlGateway.READ_BYTES, left())) {
      results.error(child, notRead(child, FrameReader.OVERLOADED));
      return;
    }
    try {
      var answer = gateway.find(query).toCompletableFuture().get(left(), TimeUnit.NANOSECONDS);
      write(results, child, answer, ResultsWriter::status);
      progressed = System.nanoTime();
    } catch (TimeoutException _) {
      results.error(child, notRead(child, format("no answer within %d s", deadline.toSeconds())));
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
