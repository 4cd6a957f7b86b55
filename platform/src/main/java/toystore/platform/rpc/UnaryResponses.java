package toystore.platform.rpc;

import io.grpc.StatusRuntimeException;
import io.grpc.stub.StreamObserver;
import io.opentelemetry.context.Context;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import toystore.platform.error.ErrorReason;
import toystore.platform.storage.NotExecutedException;

/// Answers a unary call from a future, on the thread that completes it. Never blocks.
public final class UnaryResponses {
  private static final Logger log = LoggerFactory.getLogger(UnaryResponses.class);

  private UnaryResponses() {}

  /// Sends the value or an error: an [RpcError], a field out of range ([IllegalArgumentException]),
  /// or [NotExecutedException]. Any other failure is a bug: it is logged, and the caller receives
  /// only `internal error`.
  ///
  /// @param answer may throw, or return a future that fails later
  public static <A> void send(StreamObserver<A> to, Supplier<CompletionStage<A>> answer) {
    Context call = Context.current();
    CompletableFuture.completedStage(null)
        .thenCompose(_ -> answer.get()) // also catches what it throws
        .whenComplete((value, failure) -> {
          if (failure != null) {
            to.onError(error(failure, call));
          } else {
            to.onNext(value);
            to.onCompleted();
          }
        });
  }

  private static StatusRuntimeException error(Throwable failure, Context call) {
    Throwable cause =
        failure instanceof CompletionException && failure.getCause() != null
            ? failure.getCause()
            : failure;
    return switch (cause) {
      case StatusRuntimeException known -> RpcError.forwarded(known);
      case IllegalArgumentException invalid -> rpcError(ErrorReason.INVALID, invalid);
      case NotExecutedException full when full.overloaded() ->
          rpcError(ErrorReason.OVERLOADED, full);
      case NotExecutedException notDone -> rpcError(ErrorReason.NOT_DONE, notDone);
      default -> {
        try (var _ = call.makeCurrent()) { // for the trace id in the log line
          log.error("a call failed", cause);
        }
        yield new RpcError(ErrorReason.INTERNAL_ERROR, "internal error").toException();
      }
    };
  }

  private static StatusRuntimeException rpcError(ErrorReason reason, RuntimeException failure) {
    return new RpcError(reason, String.valueOf(failure.getMessage())).toException();
  }
}
