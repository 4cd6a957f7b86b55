package toystore.platform.service;

import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import org.springframework.context.annotation.Lazy;
import toystore.platform.error.ErrorReason;
import toystore.platform.rpc.RpcError;

/// Rejects calls to a gRPC service that do not carry the administrator's token in their metadata
/// (`authorization: Bearer TOKEN`). A call is rejected before its request is read. Any thread.
@Lazy
public record AdministratorInterceptor(AdministratorToken token) implements ServerInterceptor {
  @Override
  public <Q, A> ServerCall.Listener<Q> interceptCall(
      ServerCall<Q, A> call, Metadata headers, ServerCallHandler<Q, A> next) {
    return switch (token.check(headers.get(AdministratorToken.AUTHORIZATION))) {
      case ADMINISTRATOR -> next.startCall(call, headers);
      case NONE ->
          new RpcError(
                  ErrorReason.NO_TOKEN,
                  "metadata \"authorization: Bearer TOKEN\" with the administrator's token is required")
              .refuse(call);
      case OTHER ->
          new RpcError(
                  ErrorReason.OTHER_TOKEN,
                  "the token in metadata \"authorization\" is not the administrator's token")
              .refuse(call);
    };
  }
}
