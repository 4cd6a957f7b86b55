package toystore.catalog;

import io.grpc.ForwardingServerCall.SimpleForwardingServerCall;
import io.grpc.ForwardingServerCallListener.SimpleForwardingServerCallListener;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import io.grpc.Status;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicBoolean;
import org.springframework.stereotype.Component;
import toystore.catalog.v1.CatalogAdminServiceGrpc;
import toystore.platform.rpc.ErrorReason;
import toystore.platform.rpc.RpcError;

/// Permits one import at a time, because each may need a large part of the memory. Another one is
/// refused before its request is read. Any thread.
@Component
final class ImportLimiter implements ServerInterceptor {
  private static final String IMPORT =
      CatalogAdminServiceGrpc.getImportProductsMethod().getFullMethodName();

  private final Semaphore permit = new Semaphore(1);

  @Override
  public <Q, A> ServerCall.Listener<Q> interceptCall(
      ServerCall<Q, A> call, Metadata headers, ServerCallHandler<Q, A> next) {
    if (!call.getMethodDescriptor().getFullMethodName().equals(IMPORT)) {
      return next.startCall(call, headers);
    }
    if (!permit.tryAcquire()) {
      return new RpcError(
              ErrorReason.OVERLOADED,
              "another import is in progress; the request was not processed; retry later")
          .refuse(call);
    }
    var held = new AtomicBoolean(true);
    Runnable release =
        () -> {
          if (held.getAndSet(false)) {
            permit.release();
          }
        };
    return new SimpleForwardingServerCallListener<>(
        next.startCall(releasingAtClose(call, release), headers)) {
      @Override
      public void onCancel() {
        release.run();
        super.onCancel();
      }
    };
  }

  /// Releases the permit before the caller receives the end of its call, so that it can start the
  /// next import immediately.
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
