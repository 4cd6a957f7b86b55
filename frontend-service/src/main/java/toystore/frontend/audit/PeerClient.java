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
import toystore.platform.service.AuditCheck;
import toystore.platform.service.PeerChannel;

/// Asks a service that the frontend cannot do without how it is: whether it is ready, by gRPC's own
/// health protocol, and whether its invariants hold. Any thread.
final class PeerClient implements HealthIndicator {
  /// The name of a service as a whole.
  private static final HealthCheckRequest OVERALL =
      HealthCheckRequest.newBuilder().setService("").build();

  private static final Duration HEALTH_DEADLINE = Duration.ofMillis(500);
  private static final Duration AUDIT_DEADLINE = Duration.ofSeconds(120);

  private final String name;
  private final String target;
  private final HealthBlockingStub health;
  private final AuditServiceBlockingStub audit;

  /// @param name what its checks are told apart by, such as `catalog`
  /// @param target where it is, as the setting of its name says
  PeerClient(String name, String target, PeerChannel channel) {
    this.name = name;
    this.target = target;
    this.health = HealthGrpc.newBlockingStub(channel.unguarded());
    this.audit = AuditServiceGrpc.newBlockingStub(channel.unguarded());
  }

  @Override
  public Health health() {
    String status = status();
    return (status.equals("SERVING") ? Health.up() : Health.down())
        .withDetail("status", status)
        .withDetail("toystore.frontend." + name + "-target", target)
        .build();
  }

  /// `SERVING`, what the service says instead, or why it cannot be asked.
  private String status() {
    try {
      return health.withDeadlineAfter(HEALTH_DEADLINE).check(OVERALL).getStatus().name();
    } catch (StatusRuntimeException e) {
      return RpcError.of(e).message();
    }
  }

  /// What the service found, or that it cannot be asked.
  List<AuditCheck> audit(boolean full) {
    var request = AuditRequest.newBuilder().setFull(full).build();
    try {
      return audit.withDeadlineAfter(AUDIT_DEADLINE).audit(request).getChecksList().stream()
          .map(it ->
              new AuditCheck(
                  name + ": " + it.getName(), it.hasOk() ? it.getOk() : null, it.getDetail()))
          .toList();
    } catch (StatusRuntimeException e) {
      return List.of(AuditCheck.failed(name + "-service", e));
    }
  }
}
