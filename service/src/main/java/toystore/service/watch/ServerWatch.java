package toystore.service.watch;

import io.grpc.Contexts;
import io.grpc.ForwardingServerCall.SimpleForwardingServerCall;
import io.grpc.ForwardingServerCallListener.SimpleForwardingServerCallListener;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import io.grpc.Status;
import io.opentelemetry.api.trace.StatusCode;
import org.jspecify.annotations.Nullable;

/// Times the calls a service answers; one that comes with a trail gets a span, and its answer the
/// times of its parts where they were asked for. Any thread.
final class ServerWatch implements ServerInterceptor {
  private final CallMeters meters;
  private final Tracing tracing;

  ServerWatch(CallMeters meters, Tracing tracing) {
    this.meters = meters;
    this.tracing = tracing;
  }

  @Override
  public <Q, A> ServerCall.Listener<Q> interceptCall(
      ServerCall<Q, A> call, Metadata headers, ServerCallHandler<Q, A> next) {
    if (!CallMeters.counts(call.getMethodDescriptor())) {
      return next.startCall(call, headers);
    }
    long began = System.nanoTime();
    Trail trail = tracing.begin(call.getMethodDescriptor().getFullMethodName(), headers, began);
    var watched = new Watched<>(call, trail, began);
    return new SimpleForwardingServerCallListener<>(
        trail == null
            ? next.startCall(watched, headers)
            : Contexts.interceptCall(trail.context(), watched, headers, next)) {
      @Override
      public void onComplete() {
        watched.end();
        super.onComplete();
      }

      @Override
      public void onCancel() {
        watched.end();
        super.onCancel();
      }
    };
  }

  /// gRPC tells a call's listener exactly once that it is over, and before that perhaps how it was
  /// answered.
  private final class Watched<Q, A> extends SimpleForwardingServerCall<Q, A> {
    private final @Nullable Trail trail;
    private final long began;
    private volatile @Nullable Ending answered;

    private record Ending(Status status, long nanoTime) {}

    Watched(ServerCall<Q, A> call, @Nullable Trail trail, long began) {
      super(call);
      this.trail = trail;
      this.began = began;
    }

    @Override
    public void close(Status status, Metadata trailers) {
      var ending = new Ending(status, System.nanoTime());
      answered = ending;
      if (trail != null && trail.timings() != null) {
        Wire.answer(
            trailers,
            trail
                .timings()
                .within(CallMeters.service(getMethodDescriptor()), ending.nanoTime - began));
      }
      super.close(status, trailers);
    }

    void end() {
      Ending known = answered;
      Ending last = known == null ? new Ending(Status.CANCELLED, System.nanoTime()) : known;
      meters.record(getMethodDescriptor(), last.status.getCode(), last.nanoTime - began);
      if (trail != null) {
        end(trail, last);
      }
    }

    private void end(Trail way, Ending last) {
      CallSpans.describe(way.span(), getMethodDescriptor(), last.status);
      if (CallSpans.isOurFault(last.status)) {
        way.span().setStatus(StatusCode.ERROR);
      }
      way.end(way.span(), last.nanoTime);
    }
  }
}
