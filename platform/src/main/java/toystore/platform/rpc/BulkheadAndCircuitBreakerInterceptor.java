package toystore.platform.rpc;

import static io.grpc.Status.Code.DEADLINE_EXCEEDED;
import static toystore.common.RootLocale.format;

import io.github.resilience4j.bulkhead.Bulkhead;
import io.github.resilience4j.circuitbreaker.CircuitBreaker;
import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.ClientCall;
import io.grpc.ClientInterceptor;
import io.grpc.ClientInterceptors.CheckedForwardingClientCall;
import io.grpc.ForwardingClientCall;
import io.grpc.ForwardingClientCallListener.SimpleForwardingClientCallListener;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.Status;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import toystore.platform.error.ErrorReason;

/// Rejects a call if the bulkhead stays full for its maximum wait or the circuit breaker is open.
/// The breaker counts only unanswered calls as failures: a refusal, also for a full queue, is an
/// answer. It also ignores a timeout if the peer answered other calls meanwhile. Such a peer is
/// only slow with this request, possibly because it waits for a third service, and other calls to
/// it can continue. A pause of less than a second, as on a machine with too little CPU, is no
/// reason to give up a peer.
///
/// Any thread.
public final class BulkheadAndCircuitBreakerInterceptor implements ClientInterceptor {
  private static final long MIN_SILENCE_NANOS = TimeUnit.SECONDS.toNanos(1);

  private final Bulkhead bulkhead;
  private final CircuitBreaker breaker;
  private final AtomicLong lastAnswerNanos;

  public BulkheadAndCircuitBreakerInterceptor(Bulkhead bulkhead, CircuitBreaker breaker) {
    this(bulkhead, breaker, new AtomicLong(System.nanoTime()));
  }

  private BulkheadAndCircuitBreakerInterceptor(
      Bulkhead bulkhead, CircuitBreaker breaker, AtomicLong lastAnswerNanos) {
    this.bulkhead = bulkhead;
    this.breaker = breaker;
    this.lastAnswerNanos = lastAnswerNanos;
  }

  /// An interceptor for calls to the same peer that have a bulkhead of their own.
  public BulkheadAndCircuitBreakerInterceptor with(Bulkhead own) {
    return new BulkheadAndCircuitBreakerInterceptor(own, breaker, lastAnswerNanos);
  }

  /// Closes the circuit: there is a new connection to a peer that serves, and earlier failures say
  /// nothing about it.
  public void onConnected() {
    breaker.reset();
  }

  @Override
  public <Q, A> ClientCall<Q, A> interceptCall(
      MethodDescriptor<Q, A> method, CallOptions options, Channel next) {
    return new CheckedForwardingClientCall<>(late(() -> next.newCall(method, options))) {
      @Override
      protected void checkedStart(Listener<A> listener, Metadata headers) {
        acquirePermissions();
        long start = System.nanoTime();
        delegate()
            .start(
                new SimpleForwardingClientCallListener<>(listener) {
                  @Override
                  public void onClose(Status status, Metadata trailers) {
                    recordOutcome(status, trailers, System.nanoTime() - start);
                    super.onClose(status, trailers);
                  }
                },
                headers);
      }
    };
  }

  /// A call that is made when it starts: its deadline begins after the wait for a permit, so that
  /// the peer gets the whole time.
  private static <Q, A> ClientCall<Q, A> late(Supplier<ClientCall<Q, A>> made) {
    return new ForwardingClientCall<>() {
      private @Nullable ClientCall<Q, A> call;

      @Override
      protected ClientCall<Q, A> delegate() {
        ClientCall<Q, A> delegate = call == null ? made.get() : call;
        call = delegate;
        return delegate;
      }
    };
  }

  private void acquirePermissions() {
    if (!bulkhead.tryAcquirePermission()) {
      String message =
          format(
              "server is overloaded (%d calls to %s in progress); the request was not processed; retry later",
              bulkhead.getBulkheadConfig().getMaxConcurrentCalls(), bulkhead.getName());
      throw new RpcError(ErrorReason.OVERLOADED, message).toException();
    }
    if (!breaker.tryAcquirePermission()) {
      bulkhead.releasePermission();
      throw new RpcError(
              ErrorReason.NOT_DONE,
              breaker.getName()
                  + " is unavailable (circuit open); the request was not processed; retry later")
          .toException();
    }
  }

  private void recordOutcome(Status status, Metadata trailers, long nanos) {
    bulkhead.onComplete();
    boolean unanswered = OutcomeInterceptor.isUnanswered(trailers);
    if (status.getCode() == Status.Code.CANCELLED // by the caller; does not count for the peer
        || (unanswered && status.getCode() == DEADLINE_EXCEEDED && mayBeSlow(nanos))) {
      breaker.releasePermission();
    } else if (unanswered) {
      breaker.onError(nanos, TimeUnit.NANOSECONDS, status.asRuntimeException(trailers));
    } else {
      lastAnswerNanos.set(System.nanoTime());
      breaker.onSuccess(nanos, TimeUnit.NANOSECONDS);
    }
  }

  /// Whether the wait was short, or the peer answered another call in its second half or in the
  /// last second. An answer in the first half may have come just before the peer froze.
  private boolean mayBeSlow(long waited) {
    long silence = System.nanoTime() - lastAnswerNanos.get();
    return waited < MIN_SILENCE_NANOS || silence < Math.max(waited / 2, MIN_SILENCE_NANOS);
  }
}
