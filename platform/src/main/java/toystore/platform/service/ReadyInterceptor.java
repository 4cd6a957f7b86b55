package toystore.platform.service;

import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import toystore.platform.rpc.ErrorReason;
import toystore.platform.rpc.RpcError;
import toystore.platform.storage.Database;
import toystore.platform.storage.PostgresSchema;

/// Refuses calls before they begin while another process may have taken over the PostgreSQL schema:
/// what this one has in memory may be old. Health checks are answered. Any thread.
final class ReadyInterceptor implements ServerInterceptor {
  private static final String HEALTH = "grpc.health.v1.Health";

  private final Database database;

  ReadyInterceptor(Database database) {
    this.database = database;
  }

  @Override
  public <Q, A> ServerCall.Listener<Q> interceptCall(
      ServerCall<Q, A> call, Metadata headers, ServerCallHandler<Q, A> next) {
    if (database instanceof PostgresSchema schema) {
      String reason = schema.notReady();
      if (reason != null && !HEALTH.equals(call.getMethodDescriptor().getServiceName())) {
        return new RpcError(ErrorReason.NOT_DONE, reason).refuse(call);
      }
    }
    return next.startCall(call, headers);
  }
}
