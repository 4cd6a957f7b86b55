package toystore.frontend.audit;

import io.grpc.StatusRuntimeException;
import io.grpc.health.v1.HealthCheckRequest;
import io.grpc.health.v1.HealthGrpc;
import io.grpc.health.v1.HealthGrpc.HealthBlockingStub;
import java.time.Duration;
import java.util.List;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;
import toystore.common.v1.AuditRequest;
import toystore.common.v1.AuditServiceGrpc;
import toystore.common.v1.AuditServiceGrpc.AuditServiceBlockingStub;
import toystore.platform.rpc.RpcError;
import toystore.platform.service.AuditCheckResult;
import toystore.platform.service.PeerChannel;

/// Health and audit client of one service that the frontend depends on. Readiness uses the standard
/// gRPC health protocol. A service that the store does not have counts neither for health nor for
/// the audit. Any thread.
final class PeerClient implements HealthIndicator {
  /// The health protocol uses the empty name for the server as a whole.
  private static final HealthCheckRequest OVERALL =
      HealthCheckRequest.newBuilder().setService("").build();

  private static final Duration HEALTH_DEADLINE = Duration.ofMillis(500);

  /// The system of a process that stands still goes on to accept its connections. An audit may take
  /// long, so a call that takes no time shows first whether anything answers.
  private static final Duration ANSWER_DEADLINE = Duration.ofSeconds(5);

  private static final Duration AUDIT_DEADLINE = Duration.ofSeconds(120);

  private final String name;
  private final String target;
  private final boolean isConfigured;
  private final HealthBlockingStub health;
  private final AuditServiceBlockingStub audit;

  /// @param name prefix of the names of its checks, such as `catalog`
  /// @param target address from the setting `toystore.frontend.NAME-target`
  PeerClient(String name, String target, PeerChannel channel) {
    this.name = name;
    this.target = target;
    this.isConfigured = channel.isConfigured();
    this.health = HealthGrpc.newBlockingStub(channel.withoutCircuitBreaker());
    this.audit = AuditServiceGrpc.newBlockingStub(channel.withoutCircuitBreaker());
  }

  @Override
  public Health health() {
    if (!isConfigured) {
      return Health.unknown().build();
    }
    String status = status();
    return (status.equals("SERVING") ? Health.up() : Health.down())
        .withDetail("status", status)
        .withDetail("toystore.frontend." + name + "-target", target)
        .build();
  }

  /// Returns `SERVING`, another status of the service, or the error message of the call.
  private String status() {
    try {
      return health.withDeadlineAfter(HEALTH_DEADLINE).check(OVERALL).getStatus().name();
    } catch (StatusRuntimeException e) {
      return RpcError.of(e).message();
    }
  }

  /// Returns the checks of the service, or one failed check if the call fails.
  List<AuditCheckResult> audit(boolean full) {
    if (!isConfigured) {
      return List.of();
    }
    var request = AuditRequest.newBuilder().setFull(full).build();
    try {
      var _ = health.withDeadlineAfter(ANSWER_DEADLINE).check(OVERALL);
      return audit.withDeadlineAfter(AUDIT_DEADLINE).audit(request).getChecksList().stream()
          .map(it ->
              new AuditCheckResult(
                  name + ": " + it.getName(), it.hasOk() ? it.getOk() : null, it.getDetail()))
          .toList();
    } catch (StatusRuntimeException e) {
      return List.of(AuditCheckResult.failed(name + "-service", e));
    }
  }
}
