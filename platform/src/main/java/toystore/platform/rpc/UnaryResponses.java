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
import toystore.platform.storage.NotExecutedException;

/// Answers a unary call from a future, on the thread that completes it; never blocks.
public final class UnaryResponses {
  private static final Logger log = LoggerFactory.getLogger(UnaryResponses.class);

  private UnaryResponses() {}

  /// Sends the value, or why there is none: a [RpcError], a field that is out of range
  /// ([IllegalArgumentException]), or that nothing was done ([NotDoneException]). Any other failure
  /// is a bug: it is logged, and the caller is told no more than that there was one.
  ///
  /// @param answer may throw as well as fail later
  public static <A> void send(StreamObserver<A> to, Supplier<CompletionStage<A>> answer) {
    Context call = Context.current();
    begun(answer)
        .whenComplete((value, failure) -> {
          if (failure != null) {
            to.onError(error(failure, call));
          } else {
            to.onNext(value);
            to.onCompleted();
          }
        });
  }

  private static <A> CompletionStage<A> begun(Supplier<CompletionStage<A>> answer) {
    try {
      return answer.get();
    } catch (RuntimeException e) {
      return CompletableFuture.failedFuture(e);
    }
  }

  private static StatusRuntimeException error(Throwable failure, Context call) {
    Throwable cause =
        failure instanceof CompletionException && failure.getCause() != null
            ? failure.getCause()
            : failure;
    return switch (cause) {
      case StatusRuntimeException known -> RpcError.passedOn(known);
      case IllegalArgumentException invalid -> problem(ErrorReason.INVALID, invalid);
      case NotExecutedException full when full.overloaded() ->
          problem(ErrorReason.OVERLOADED, full);
      case NotExecutedException notDone -> problem(ErrorReason.NOT_DONE, notDone);
      default -> {
        try (var _ = call.makeCurrent()) { // the log line bears this call's trace id
          log.error("a call failed", cause);
        }
        yield new RpcError(ErrorReason.INTERNAL_ERROR, "internal error").toException();
      }
    };
  }

  private static StatusRuntimeException problem(ErrorReason reason, RuntimeException said) {
    return new RpcError(reason, String.valueOf(said.getMessage())).toException();
  }
}
