package toystore.account.rpc;

import static toystore.common.RootLocale.format;

import io.grpc.StatusRuntimeException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.PriorityBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.security.crypto.password.PasswordEncoder;
import toystore.account.domain.FailedLogins;
import toystore.platform.error.ErrorReason;
import toystore.platform.rpc.RpcError;

/// Runs what hashes a password on a few threads of its own, because a hash takes about 80 ms of a
/// processor. Waiting tasks run in [FairOrder], so that nobody's flood delays others. A task whose
/// caller no longer waits is skipped. Any thread may submit.
public final class PasswordHasher implements AutoCloseable {
  private final PasswordEncoder encoder;
  private final String hashOfNobody;
  private final FairOrder order;
  private final Duration maxTime;
  private final ThreadPoolExecutor threads;

  /// @param order limits the tasks that wait
  /// @param maxTime after this time an unfinished task fails
  public PasswordHasher(PasswordEncoder encoder, int threads, FairOrder order, Duration maxTime) {
    this.encoder = encoder;
    this.hashOfNobody = encode("nobody");
    this.order = order;
    this.maxTime = maxTime;
    this.threads =
        new ThreadPoolExecutor(
            threads,
            threads,
            0,
            TimeUnit.SECONDS,
            new PriorityBlockingQueue<>(),
            Thread.ofPlatform().name("password-hasher-", 0).factory());
  }

  /// Runs a task. The result fails if the caller no longer waits or the time is over.
  ///
  /// @throws StatusRuntimeException if too many tasks wait
  <T> CompletionStage<T> submit(
      FailedLogins.Attempt client, BooleanSupplier cancelled, Supplier<T> task) {
    FairOrder.Place place = order.enter(client);
    var queued = new Task<T>(place, cancelled, task);
    try {
      threads.execute(queued);
    } catch (RejectedExecutionException e) {
      order.leave(place);
      throw new RpcError(ErrorReason.NOT_DONE, "service is stopping; the request was not processed")
          .toException();
    }
    return queued
        .answer
        .orTimeout(maxTime.toMillis(), TimeUnit.MILLISECONDS)
        .exceptionallyCompose(failure ->
            CompletableFuture.failedFuture(
                failure instanceof TimeoutException ? tooLong() : failure));
  }

  private StatusRuntimeException tooLong() {
    return new RpcError(
            ErrorReason.OVERLOADED,
            format(
                "server is overloaded (the password was not hashed within %d s); the request was not processed; retry later",
                maxTime.toSeconds()))
        .toException();
  }

  private final class Task<T> implements Runnable, Comparable<Task<?>> {
    private final FairOrder.Place place;
    private final BooleanSupplier cancelled;
    private final Supplier<T> task;
    private final CompletableFuture<T> answer = new CompletableFuture<>();

    Task(FairOrder.Place place, BooleanSupplier cancelled, Supplier<T> task) {
      this.place = place;
      this.cancelled = cancelled;
      this.task = task;
    }

    @Override
    public void run() {
      try {
        answer.complete(result());
      } catch (RuntimeException | Error failure) {
        answer.completeExceptionally(failure);
      }
    }

    /// Leaves the queue before the answer is known, so that its receiver may submit the next task.
    private T result() {
      order.begin(place);
      try {
        if (cancelled.getAsBoolean() || answer.isDone()) {
          throw new RpcError(
                  ErrorReason.TOO_LATE, "caller no longer waits; the request was not processed")
              .toException();
        }
        return task.get();
      } finally {
        order.leave(place);
      }
    }

    @Override
    public int compareTo(Task<?> other) {
      return place.compareTo(other.place);
    }
  }

  /// Only in a task.
  String encode(String password) {
    return String.valueOf(encoder.encode(password)); // null only if the password is null
  }

  /// Whether the password has this hash. Only in a task.
  ///
  /// @param hash null: there is no such account, and the comparison takes as long
  boolean matches(String password, @Nullable String hash) {
    boolean matches = encoder.matches(password, hash == null ? hashOfNobody : hash);
    return matches && hash != null;
  }

  public int waiting() {
    return threads.getQueue().size();
  }

  @Override
  public void close() {
    threads.close();
  }
}
