package toystore.rpc;

import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.ClientCall;
import io.grpc.ClientInterceptor;
import io.grpc.ClientStreamTracer;
import io.grpc.Context;
import io.grpc.ForwardingClientCall.SimpleForwardingClientCall;
import io.grpc.ForwardingClientCallListener.SimpleForwardingClientCallListener;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.Status;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import toystore.common.v1.ErrorReason;

/// What every call of a client here gets: a deadline where it has none, and an error that says
/// whether the request can have been carried out. gRPC's own UNAVAILABLE and DEADLINE_EXCEEDED do
/// not tell a request that never left from one whose answer was lost; a tracer on the stream does
/// (`outboundHeaders` is called once the request's first bytes are written).
///
/// Any thread.
///
/// @param deadline for a call that neither has a deadline nor serves one that has
public record Calls(Duration deadline) implements ClientInterceptor {
  @Override
  public <Q, A> ClientCall<Q, A> interceptCall(
      MethodDescriptor<Q, A> method, CallOptions options, Channel next) {
    var sent = new AtomicBoolean();
    ClientCall<Q, A> call =
        next.newCall(method, withDeadline(options).withStreamTracerFactory(tracer(sent)));
    return new SimpleForwardingClientCall<>(call) {
      @Override
      public void start(Listener<A> listener, Metadata headers) {
        super.start(
            new SimpleForwardingClientCallListener<>(listener) {
              @Override
              public void onClose(Status status, Metadata trailers) {
                super.onClose(status, typed(status, trailers, sent.get()));
              }
            },
            headers);
      }
    };
  }

  private CallOptions withDeadline(CallOptions options) {
    return options.getDeadline() == null && Context.current().getDeadline() == null
        ? options.withDeadlineAfter(deadline.toNanos(), TimeUnit.NANOSECONDS)
        : options;
  }

  private static ClientStreamTracer.Factory tracer(AtomicBoolean sent) {
    return new ClientStreamTracer.Factory() {
      @Override
      public ClientStreamTracer newClientStreamTracer(
          ClientStreamTracer.StreamInfo info, Metadata headers) {
        return new ClientStreamTracer() {
          @Override
          public void outboundHeaders() {
            sent.set(true);
          }
        };
      }
    };
  }

  private static Metadata typed(Status status, Metadata trailers, boolean sent) {
    if (!status.isOk() && !Problem.isTyped(trailers)) {
      switch (status.getCode()) {
        case UNAVAILABLE, DEADLINE_EXCEEDED, CANCELLED ->
            new Problem(
                    sent
                        ? ErrorReason.ERROR_REASON_OUTCOME_UNKNOWN
                        : ErrorReason.ERROR_REASON_NOT_DONE,
                    String.valueOf(status.getDescription()))
                .addTo(trailers, status.getCode());
        default -> {}
      }
    }
    return trailers;
  }
}
