package toystore.platform.rpc;

import io.grpc.StatusRuntimeException;
import io.grpc.stub.StreamObserver;
import io.opentelemetry.context.Context;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Answers a unary call from a future, on the thread that completes it; never blocks.
public final class Answers {
  private static final Logger log = LoggerFactory.getLogger(Answers.class);

  private Answers() {}

  /// Sends the value, or the [Problem] it failed with. Any other failure is a bug: it is logged,
  /// and the caller is told no more than that there was one.
  public static <A> void send(CompletionStage<A> answer, StreamObserver<A> to) {
    Context call = Context.current();
    answer.whenComplete((value, failure) -> {
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
    if (cause instanceof StatusRuntimeException known) {
      return Problem.passedOn(known);
    }
    try (var _ = call.makeCurrent()) { // the log line bears this call's trace id
      log.error("a call failed", cause);
    }
    return new Problem(ErrorReason.INTERNAL_ERROR, "internal error").toException();
  }
}
