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

/// Repeats a call that the peer left unanswered because it was unavailable, a few times and within
/// the deadline of the first. Only a call with a client's own key may come here: what was decided
/// for such a key is answered again.
///
/// Once an attempt may have been carried out, a later one that surely was not does not make it
/// undone: the outcome stays unknown until the peer has decided.
///
/// Any thread.
///
/// @param clock where the pauses of [#ask] pass; what it runs must not block
public record Retries(Retry retry, OutcomeInterceptor calls, ScheduledExecutorService clock) {

  /// Waits for the answer.
  public <T> T call(Supplier<T> call) {
    var attempts = new Attempts(calls.withOneDeadline());
    try {
      return retry.executeSupplier(() -> attempts.one(call));
    } catch (StatusRuntimeException last) {
      throw attempts.said(last);
    }
  }

  /// Does not wait.
  public <T> CompletionStage<T> ask(Supplier<CompletionStage<T>> call) {
    var attempts = new Attempts(calls.withOneDeadline());
    return retry
        .executeCompletionStage(
            clock,
            () -> attempts.one(call).whenComplete((_, failure) -> attempts.note(error(failure))))
        .exceptionally(failure -> {
          StatusRuntimeException last = error(failure);
          throw last == null ? new CompletionException(failure) : attempts.said(last);
        });
  }

  /// Whether a failure is worth another attempt.
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

  /// What is known of one call after some attempts.
  private static final class Attempts {
    private final Context within;
    private volatile boolean unknown;

    Attempts(Context within) {
      this.within = within;
    }

    <T> T one(Supplier<T> call) {
      Context before = within.attach();
      try {
        return call.get();
      } catch (StatusRuntimeException e) {
        note(e);
        throw e;
      } finally {
        within.detach(before);
      }
    }

    void note(@Nullable StatusRuntimeException failure) {
      unknown |=
          failure != null && RpcError.of(failure).reason().equals(ErrorReason.OUTCOME_UNKNOWN);
    }

    StatusRuntimeException said(StatusRuntimeException last) {
      RpcError problem = RpcError.of(last);
      return unknown && !problem.isDecided()
          ? new RpcError(ErrorReason.OUTCOME_UNKNOWN, problem.message()).toException()
          : last;
    }
  }
}
