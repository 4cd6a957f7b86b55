package toystore.platform.rpc;

import io.grpc.ForwardingServerCall.SimpleForwardingServerCall;
import io.grpc.ForwardingServerCallListener.SimpleForwardingServerCallListener;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import io.grpc.Status;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/// Permits one call of a method at a time, because each may need a large part of the memory.
/// Another call is refused before its request is read. Any thread.
public final class ExclusiveCallInterceptor implements ServerInterceptor {
  private final String method;
  private final String refusal;
  private final Semaphore permit = new Semaphore(1);

  /// @param method name of the method, without its service
  /// @param refusal message of the error
  public ExclusiveCallInterceptor(String method, String refusal) {
    this.method = method;
    this.refusal = refusal;
  }

  @Override
  public <Q, A> ServerCall.Listener<Q> interceptCall(
      ServerCall<Q, A> call, Metadata headers, ServerCallHandler<Q, A> next) {
    @Nullable String called = call.getMethodDescriptor().getBareMethodName();
    if (!method.equals(called)) {
      return next.startCall(call, headers);
    }
    if (!permit.tryAcquire()) {
      return new RpcError(ErrorReason.OVERLOADED, refusal).refuse(call);
    }
    var held = new AtomicBoolean(true);
    Runnable release =
        () -> {
          if (held.getAndSet(false)) {
            permit.release();
          }
        };
    ServerCall.Listener<Q> listener;
    try {
      listener = next.startCall(releasingAtClose(call, release), headers);
    } catch (RuntimeException e) {
      release.run();
      throw e;
    }
    return new SimpleForwardingServerCallListener<>(listener) {
      private boolean isHandled; // the callbacks of a call do not overlap

      @Override
      public void onHalfClose() {
        isHandled = true;
        super.onHalfClose();
      }

      /// A cancelled call that is being handled keeps its permit until the handler ends.
      @Override
      public void onCancel() {
        if (!isHandled) {
          release.run();
        }
        super.onCancel();
      }

      @Override
      public void onComplete() { // without a close of the handler if the request was malformed
        release.run();
        super.onComplete();
      }
    };
  }

  /// Releases the permit before the caller receives the end of its call, so that it can start the
  /// next one immediately.
  private static <Q, A> ServerCall<Q, A> releasingAtClose(ServerCall<Q, A> call, Runnable release) {
    return new SimpleForwardingServerCall<>(call) {
      @Override
      public void close(Status status, Metadata trailers) {
        release.run();
        super.close(status, trailers);
      }
    };
  }
}
