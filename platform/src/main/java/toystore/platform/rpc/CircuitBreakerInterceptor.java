package toystore.platform.rpc;

import static io.grpc.Status.Code.DEADLINE_EXCEEDED;

import io.github.resilience4j.bulkhead.Bulkhead;
import io.github.resilience4j.circuitbreaker.CircuitBreaker;
import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.ClientCall;
import io.grpc.ClientInterceptor;
import io.grpc.ClientInterceptors.CheckedForwardingClientCall;
import io.grpc.ForwardingClientCallListener.SimpleForwardingClientCallListener;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.Status;
import java.util.concurrent.TimeUnit;

/// Refuses a call where a bulkhead stays full for its longest wait, or a circuit breaker is open.
/// The breaker counts as failures only calls the peer left unanswered: a refusal, even a full
/// queue, is an answer. Nor does it count a call that ran out of time while the peer answered
/// others: that peer is slow with this one request, perhaps because it asks a third, and what needs
/// only the peer goes on.
///
/// Any thread.
public final class CircuitBreakerInterceptor implements ClientInterceptor {
  private final Bulkhead bulkhead;
  private final CircuitBreaker breaker;
  private volatile long lastAnswer = System.nanoTime();

  public CircuitBreakerInterceptor(Bulkhead bulkhead, CircuitBreaker breaker) {
    this.bulkhead = bulkhead;
    this.breaker = breaker;
  }

  @Override
  public <Q, A> ClientCall<Q, A> interceptCall(
      MethodDescriptor<Q, A> method, CallOptions options, Channel next) {
    return new CheckedForwardingClientCall<>(next.newCall(method, options)) {
      @Override
      protected void checkedStart(Listener<A> listener, Metadata headers) {
        enter();
        long start = System.nanoTime();
        delegate()
            .start(
                new SimpleForwardingClientCallListener<>(listener) {
                  @Override
                  public void onClose(Status status, Metadata trailers) {
                    leave(status, trailers, System.nanoTime() - start);
                    super.onClose(status, trailers);
                  }
                },
                headers);
      }
    };
  }

  private void enter() {
    if (!bulkhead.tryAcquirePermission()) {
      String overloaded =
          "server is overloaded (%d calls to %s in progress); the request was not processed; retry later"
              .formatted(bulkhead.getBulkheadConfig().getMaxConcurrentCalls(), bulkhead.getName());
      throw new RpcError(ErrorReason.OVERLOADED, overloaded).toException();
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

  private void leave(Status status, Metadata trailers, long nanos) {
    bulkhead.onComplete();
    boolean unanswered = OutcomeInterceptor.isUnanswered(trailers);
    if (status.getCode() == Status.Code.CANCELLED // by us: it says nothing of the peer
        || (unanswered && status.getCode() == DEADLINE_EXCEEDED && othersWereAnswered(nanos))) {
      breaker.releasePermission();
    } else if (unanswered) {
      breaker.onError(nanos, TimeUnit.NANOSECONDS, status.asRuntimeException(trailers));
    } else {
      lastAnswer = System.nanoTime();
      breaker.onSuccess(nanos, TimeUnit.NANOSECONDS);
    }
  }

  /// Whether there was an answer in the later half of a wait: one in the earlier half may have come
  /// just before the peer froze.
  private boolean othersWereAnswered(long waited) {
    return System.nanoTime() - lastAnswer < waited / 2;
  }
}
