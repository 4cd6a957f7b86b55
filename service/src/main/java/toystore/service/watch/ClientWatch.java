package toystore.service.watch;

import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.ClientCall;
import io.grpc.ClientInterceptor;
import io.grpc.ForwardingClientCall.SimpleForwardingClientCall;
import io.grpc.ForwardingClientCallListener.SimpleForwardingClientCallListener;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.Status;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.StatusCode;
import org.jspecify.annotations.Nullable;

/// Times the calls a service makes; one made for a request with a trail gets a span, and takes the
/// trail along. Any thread.
final class ClientWatch implements ClientInterceptor {
  private final CallMeters meters;

  ClientWatch(CallMeters meters) {
    this.meters = meters;
  }

  @Override
  public <Q, A> ClientCall<Q, A> interceptCall(
      MethodDescriptor<Q, A> method, CallOptions options, Channel next) {
    ClientCall<Q, A> call = next.newCall(method, options);
    return CallMeters.counts(method) ? new Watched<>(method, call, Trail.current()) : call;
  }

  private final class Watched<Q, A> extends SimpleForwardingClientCall<Q, A> {
    private final MethodDescriptor<Q, A> method;
    private final @Nullable Trail trail;
    private final long began = System.nanoTime();

    Watched(MethodDescriptor<Q, A> method, ClientCall<Q, A> call, @Nullable Trail trail) {
      super(call);
      this.method = method;
      this.trail = trail;
    }

    @Override
    public void start(Listener<A> listener, Metadata headers) {
      Span span = trail == null ? null : leave(trail, headers);
      super.start(
          new SimpleForwardingClientCallListener<>(listener) {
            @Override
            public void onClose(Status status, Metadata trailers) {
              long ended = System.nanoTime();
              meters.record(method, status.getCode(), ended - began);
              if (trail != null && span != null) {
                arrive(trail, span, status, trailers, ended);
              }
              super.onClose(status, trailers);
            }
          },
          headers);
    }

    private Span leave(Trail way, Metadata headers) {
      Span span = way.child(method.getFullMethodName(), SpanKind.CLIENT, began);
      Wire.ask(headers, span, way.timings() != null);
      return span;
    }

    private void arrive(Trail way, Span span, Status status, Metadata trailers, long ended) {
      if (way.timings() != null) {
        Wire.read(trailers, way.timings());
      }
      CallSpans.describe(span, method, status);
      if (!status.isOk()) {
        span.setStatus(StatusCode.ERROR);
      }
      way.end(span, ended);
    }
  }
}
