package toystore.platform.service;

import io.grpc.StatusRuntimeException;
import java.util.concurrent.CompletionException;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;
import toystore.platform.rpc.RpcError;
import toystore.platform.storage.CorruptDataException;
import toystore.platform.storage.NotExecutedException;

/// One invariant and the result of its check.
///
/// @param name the invariant, such as `stock`
/// @param ok null if the check could not be made; no fault is known then
/// @param detail what was compared, the first difference, or why the check could not be made
public record AuditCheckResult(String name, @Nullable Boolean ok, String detail) {

  /// @param difference the first difference found; null if there is none and the invariant holds
  /// @param confirmation the detail if the invariant holds
  public static AuditCheckResult of(String name, @Nullable String difference, String confirmation) {
    return new AuditCheckResult(
        name, difference == null, difference == null ? confirmation : difference);
  }

  /// Converts a failure into a check result. A damaged row means that the invariant does not hold.
  /// If the service is busy or a peer is unavailable, the check could not be made. Any other
  /// failure is a bug and is rethrown.
  public static AuditCheckResult failed(String name, Throwable failure) {
    return switch (failure) {
      case CorruptDataException _ ->
          new AuditCheckResult(name, false, String.valueOf(failure.getMessage()));
      case NotExecutedException _ ->
          new AuditCheckResult(name, null, String.valueOf(failure.getMessage()));
      case RejectedExecutionException _ ->
          new AuditCheckResult(name, null, "too many audits are queued; retry later");
      case StatusRuntimeException unavailable ->
          new AuditCheckResult(name, null, RpcError.of(unavailable).message());
      default -> {
        if (failure.getCause() == null) {
          throw new CompletionException(failure);
        }
        yield failed(name, failure.getCause());
      }
    };
  }
}
