package toystore.platform.service;

import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import toystore.common.v1.StatusServiceGrpc;
import toystore.platform.error.ErrorReason;
import toystore.platform.rpc.RpcError;

/// Refuses calls before they begin while another process may have taken over the database: what
/// this one has in memory may be old. Health and status are answered. Any thread.
///
/// @param notServing why no call may be answered, or null; must not block
record ReadyInterceptor(Supplier<@Nullable String> notServing) implements ServerInterceptor {
  private static final Set<String> ACCEPTED =
      Set.of("grpc.health.v1.Health", StatusServiceGrpc.SERVICE_NAME);

  @Override
  public <Q, A> ServerCall.Listener<Q> interceptCall(
      ServerCall<Q, A> call, Metadata headers, ServerCallHandler<Q, A> next) {
    String reason = notServing.get();
    return reason == null || ACCEPTED.contains(call.getMethodDescriptor().getServiceName())
        ? next.startCall(call, headers)
        : new RpcError(ErrorReason.NOT_DONE, reason).refuse(call);
  }
}
