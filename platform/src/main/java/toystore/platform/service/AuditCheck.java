package toystore.platform.service;

import io.grpc.StatusRuntimeException;
import java.util.concurrent.CompletionException;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;
import toystore.platform.rpc.RpcError;
import toystore.platform.storage.CorruptDataException;
import toystore.platform.storage.NotExecutedException;

/// One invariant and what an audit found.
///
/// @param name what must hold, such as `stock`
/// @param ok null where the check could not be made: nothing is known to be wrong
/// @param detail what was compared, the first difference, or why the check could not be made
public record AuditCheck(String name, @Nullable Boolean ok, String detail) {

  /// @param fault the first that was found; null: none, the invariant holds
  public static AuditCheck of(String name, @Nullable String fault, String held) {
    return new AuditCheck(name, fault == null, fault == null ? held : fault);
  }

  /// What a failure says of an invariant: where a row is damaged it does not hold; where the
  /// service is busy, or cannot ask another, the check could not be made. Any other failure is a
  /// bug and is thrown on.
  public static AuditCheck failed(String name, Throwable failure) {
    return switch (failure) {
      case CorruptDataException _ ->
          new AuditCheck(name, false, String.valueOf(failure.getMessage()));
      case NotExecutedException _ ->
          new AuditCheck(name, null, String.valueOf(failure.getMessage()));
      case RejectedExecutionException _ ->
          new AuditCheck(name, null, "too many audits are queued; retry later");
      case StatusRuntimeException away -> new AuditCheck(name, null, RpcError.of(away).message());
      default -> {
        if (failure.getCause() == null) {
          throw new CompletionException(failure);
        }
        yield failed(name, failure.getCause());
      }
    };
  }
}
