package toystore.platform.rpc;

import io.github.resilience4j.retry.Retry;
import io.grpc.Context;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ScheduledExecutorService;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import toystore.platform.error.ErrorReason;

/// Repeats an unanswered call if the peer was unavailable, a few times and within the deadline of
/// the first attempt. Use it only for calls with a client's own idempotency key, because the peer
/// answers a repeated key with its stored answer.
///
/// If one attempt may have been carried out and a later one was not, the outcome stays unknown
/// until the peer has decided.
///
/// Any thread.
///
/// @param scheduler runs the attempts after the pauses of [#callAsync]; its tasks must not block
public record Retries(
    Retry retry, OutcomeInterceptor outcomes, ScheduledExecutorService scheduler) {

  public <T> T call(Supplier<T> call) {
    var attempts = new Attempts(outcomes.withSharedDeadline());
    try {
      return retry.executeSupplier(() -> attempts.attempt(call));
    } catch (StatusRuntimeException last) {
      throw attempts.result(last);
    }
  }

  public <T> CompletionStage<T> callAsync(Supplier<CompletionStage<T>> call) {
    var attempts = new Attempts(outcomes.withSharedDeadline());
    return retry
        .executeCompletionStage(
            scheduler,
            () ->
                attempts
                    .attempt(call)
                    .whenComplete((_, failure) -> attempts.record(error(failure))))
        .exceptionally(failure -> {
          StatusRuntimeException last = error(failure);
          throw last == null ? new CompletionException(failure) : attempts.result(last);
        });
  }

  /// Whether a failed call should be repeated.
  public static boolean isUnavailable(Throwable failure) {
    StatusRuntimeException error = error(failure);
    return error != null
        && error.getStatus().getCode() == Status.Code.UNAVAILABLE
        && OutcomeInterceptor.isUnanswered(error.getTrailers());
  }

  private static @Nullable StatusRuntimeException error(@Nullable Throwable failure) {
    return switch (failure) {
      case StatusRuntimeException error -> error;
      case CompletionException wrapped -> error(wrapped.getCause());
      case null, default -> null;
    };
  }

  private static final class Attempts {
    private final Context context;
    private volatile boolean outcomeUnknown;

    Attempts(Context context) {
      this.context = context;
    }

    <T> T attempt(Supplier<T> call) {
      Context previous = context.attach();
      try {
        return call.get();
      } catch (StatusRuntimeException e) {
        record(e);
        throw e;
      } finally {
        context.detach(previous);
      }
    }

    void record(@Nullable StatusRuntimeException failure) {
      outcomeUnknown |=
          failure != null && RpcError.of(failure).reason() == ErrorReason.OUTCOME_UNKNOWN;
    }

    StatusRuntimeException result(StatusRuntimeException last) {
      RpcError error = RpcError.of(last);
      return outcomeUnknown && !error.isDecided()
          ? new RpcError(ErrorReason.OUTCOME_UNKNOWN, error.message()).toException()
          : last;
    }
  }
}
