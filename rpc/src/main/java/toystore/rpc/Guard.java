package toystore.rpc;

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
import toystore.common.v1.ErrorReason;

/// Refuses a call at once where a bulkhead is full or a circuit breaker is open. The breaker counts
/// as failures only calls the peer left unanswered: a refusal, even a full queue, is an answer.
///
/// Any thread.
public record Guard(Bulkhead bulkhead, CircuitBreaker breaker) implements ClientInterceptor {
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
      throw new Problem(
              ErrorReason.ERROR_REASON_OVERLOADED,
              "%d calls to %s are under way already"
                  .formatted(
                      bulkhead.getBulkheadConfig().getMaxConcurrentCalls(), bulkhead.getName()))
          .toException();
    }
    if (!breaker.tryAcquirePermission()) {
      bulkhead.releasePermission();
      throw new Problem(
              ErrorReason.ERROR_REASON_NOT_DONE,
              breaker.getName() + " did not answer of late, it is tried again soon")
          .toException();
    }
  }

  private void leave(Status status, Metadata trailers, long nanos) {
    bulkhead.onComplete();
    if (status.getCode() == Status.Code.CANCELLED) { // by us: it says nothing of the peer
      breaker.releasePermission();
    } else if (Calls.isUnanswered(trailers)) {
      breaker.onError(nanos, TimeUnit.NANOSECONDS, status.asRuntimeException(trailers));
    } else {
      breaker.onSuccess(nanos, TimeUnit.NANOSECONDS);
    }
  }
}
