package toystore.service.watch;

import io.grpc.ForwardingServerCall.SimpleForwardingServerCall;
import io.grpc.ForwardingServerCallListener.SimpleForwardingServerCallListener;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import io.grpc.Status;
import org.jspecify.annotations.Nullable;

/// Times the calls a service answers. Any thread.
final class ServerWatch implements ServerInterceptor {
  private final CallMeters meters;

  ServerWatch(CallMeters meters) {
    this.meters = meters;
  }

  @Override
  public <Q, A> ServerCall.Listener<Q> interceptCall(
      ServerCall<Q, A> call, Metadata headers, ServerCallHandler<Q, A> next) {
    if (!CallMeters.counts(call.getMethodDescriptor())) {
      return next.startCall(call, headers);
    }
    var watched = new Watched<>(call);
    return new SimpleForwardingServerCallListener<>(next.startCall(watched, headers)) {
      @Override
      public void onComplete() {
        watched.end(Status.CANCELLED);
        super.onComplete();
      }

      @Override
      public void onCancel() {
        watched.end(Status.CANCELLED);
        super.onCancel();
      }
    };
  }

  /// gRPC tells a call's listener exactly once that it is over, and before that perhaps how it was
  /// answered.
  private final class Watched<Q, A> extends SimpleForwardingServerCall<Q, A> {
    private final long began = System.nanoTime();
    private volatile @Nullable Ending ending;

    private record Ending(Status status, long nanoTime) {}

    Watched(ServerCall<Q, A> call) {
      super(call);
    }

    @Override
    public void close(Status status, Metadata trailers) {
      ending = new Ending(status, System.nanoTime());
      super.close(status, trailers);
    }

    void end(Status unanswered) {
      Ending known = ending;
      Ending last = known == null ? new Ending(unanswered, System.nanoTime()) : known;
      meters.record(getMethodDescriptor(), last.status.getCode(), last.nanoTime - began);
    }
  }
}
