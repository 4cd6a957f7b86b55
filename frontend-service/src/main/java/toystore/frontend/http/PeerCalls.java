package toystore.frontend.http;

import static java.util.Objects.requireNonNull;

import io.grpc.Deadline;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.stub.AbstractStub;
import java.time.Instant;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.web.context.request.RequestContextHolder;
import org.springframework.web.context.request.ServletRequestAttributes;
import toystore.frontend.http.error.ApiException;
import toystore.platform.error.ErrorReason;
import toystore.platform.journal.RequestKey;
import toystore.platform.rpc.CallEnvelope;
import toystore.platform.rpc.RpcError;
import toystore.platform.service.PeerChannel;

/// Calls a backend service and translates its gRPC errors to HTTP errors. On a write, 503 means
/// that the request was not processed, and 504 that the outcome is unknown. Any thread.
public final class PeerCalls {
  private static final Logger log = LoggerFactory.getLogger(PeerCalls.class);

  private final PeerChannel channel;

  public PeerCalls(PeerChannel channel) {
    this.channel = channel;
  }

  public <T> T read(Supplier<T> call) {
    try {
      return call.get();
    } catch (StatusRuntimeException e) {
      throw readError(e);
    }
  }

  /// Like [#read(Supplier)], without waiting for the answer.
  public <T> CompletionStage<T> read(CompletionStage<T> answer) {
    return answer.exceptionallyCompose(failure ->
        CompletableFuture.failedStage(
            failure instanceof StatusRuntimeException e ? readError(e) : failure));
  }

  private ApiException readError(StatusRuntimeException failure) {
    return error(
        failure,
        failure.getStatus().getCode() == Status.Code.DEADLINE_EXCEEDED
            ? ApiException.of(
                ErrorReason.TOO_LATE,
                "no answer from the backend service before the deadline; retry the request")
            : unavailable());
  }

  /// Calls a read-only method on which a write depends. Without its answer the write is not begun,
  /// so every failure means that nothing was done.
  public <T> T readFirst(Supplier<T> call) {
    try {
      return call.get();
    } catch (StatusRuntimeException e) {
      throw error(e, unavailable());
    }
  }

  /// Calls a method that changes data and has no idempotency key. The service does not begin after
  /// the deadline of the stub or else of the channel.
  public <S extends AbstractStub<S>, T> T write(S stub, Function<S, T> call) {
    S enveloped = stub.withInterceptors(new CallEnvelope(null, decideBy(stub)));
    return write(() -> call.apply(enveloped));
  }

  /// Calls a method that changes data, without key and end.
  public <T> T write(Supplier<T> call) {
    return write(
        call,
        "outcome unknown: the request may or may not have been processed;"
            + " read the current state and retry if nothing changed");
  }

  /// Calls a method that is idempotent by its key. The call is retried only if the client sent the
  /// key. The service does not begin after the deadline of the stub or else of the channel.
  public <S extends AbstractStub<S>, T> T write(RequestKey key, S stub, Function<S, T> call) {
    var envelope = new CallEnvelope(key, decideBy(stub));
    S enveloped = stub.withInterceptors(envelope);
    T answer = write(key, () -> call.apply(enveloped));
    markReplayed(envelope.replayed());
    return answer;
  }

  /// Says in the answer to the current HTTP request whether it is the stored one of its key.
  public static void markReplayed(boolean replayed) {
    if (replayed) {
      var current = (ServletRequestAttributes) RequestContextHolder.currentRequestAttributes();
      requireNonNull(current.getResponse()).setHeader(ErrorFormat.REPLAYED, "true");
    }
  }

  /// Like [#write(RequestKey, AbstractStub, Function)], for a message that has the key.
  public <T> T write(RequestKey key, Supplier<T> call) {
    return write(
        key.clientMade() ? () -> channel.retries().call(call) : call,
        "outcome unknown: the request may or may not have been processed;"
            + " retry with Idempotency-Key "
            + key.value());
  }

  private Instant decideBy(AbstractStub<?> stub) {
    Deadline own = stub.getCallOptions().getDeadline();
    return own == null
        ? decideBy()
        : Instant.now().plusNanos(own.timeRemaining(TimeUnit.NANOSECONDS));
  }

  /// The time after which a backend must not process a command that starts now: now plus the
  /// channel's deadline.
  public Instant decideBy() {
    return Instant.now().plus(channel.deadline());
  }

  private <T> T write(Supplier<T> call, String unknownOutcome) {
    try {
      return call.get();
    } catch (StatusRuntimeException e) {
      throw error(e, ApiException.of(ErrorReason.OUTCOME_UNKNOWN, unknownOutcome));
    }
  }

  private ApiException error(StatusRuntimeException failure, ApiException timeoutError) {
    RpcError rpcError = RpcError.of(failure);
    ApiException refusal = ApiException.of(rpcError);
    return switch (refusal.status()) {
      case 504 -> timeoutError;
      case 503 -> rpcError.reason() == ErrorReason.NOT_DONE ? unavailable() : refusal;
      case 500 -> {
        log.error("unexpected error from the {} service", channel.peer(), failure);
        yield ApiException.of(500, "internal error");
      }
      default -> refusal;
    };
  }

  private static ApiException unavailable() {
    return ApiException.of(
        503, "a backend service is unavailable; the request was not processed; retry later");
  }
}
