package toystore.account;

import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.security.crypto.password.PasswordEncoder;
import toystore.platform.rpc.ErrorReason;
import toystore.platform.rpc.RpcError;

/// Runs what hashes a password on a few threads of its own, because a hash takes about 80 ms of a
/// processor. A task whose caller no longer waits is skipped. Any thread may submit.
final class PasswordHasher implements AutoCloseable {
  private final PasswordEncoder encoder;
  private final String hashOfNobody;
  private final int queueBound;
  private final ThreadPoolExecutor threads;

  /// @param queueBound maximum number of waiting tasks; further tasks are refused
  PasswordHasher(PasswordEncoder encoder, int threads, int queueBound) {
    this.encoder = encoder;
    this.hashOfNobody = encode("nobody");
    this.queueBound = queueBound;
    this.threads =
        new ThreadPoolExecutor(
            threads,
            threads,
            0,
            TimeUnit.SECONDS,
            new ArrayBlockingQueue<>(queueBound),
            Thread.ofPlatform().name("password-hasher-", 0).factory());
  }

  /// Runs a task. The result fails with an [RpcError] if the queue is full or the caller no longer
  /// waits.
  <T> CompletionStage<T> submit(BooleanSupplier cancelled, Supplier<T> task) {
    try {
      return CompletableFuture.supplyAsync(() -> run(cancelled, task), threads);
    } catch (RejectedExecutionException e) {
      return CompletableFuture.failedFuture(
          new RpcError(
                  ErrorReason.OVERLOADED,
                  "server is overloaded (password queue is full: %d waiting); the request was not processed; retry later"
                      .formatted(queueBound))
              .toException());
    }
  }

  private static <T> T run(BooleanSupplier cancelled, Supplier<T> task) {
    if (cancelled.getAsBoolean()) {
      throw new RpcError(
              ErrorReason.TOO_LATE, "caller no longer waits; the request was not processed")
          .toException();
    }
    return task.get();
  }

  /// Hashes a password. Only in a task.
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

  /// Number of waiting tasks.
  int waiting() {
    return threads.getQueue().size();
  }

  @Override
  public void close() {
    threads.close();
  }
}
