package toystore.frontend.audit;

import io.grpc.StatusRuntimeException;
import io.grpc.health.v1.HealthCheckRequest;
import io.grpc.health.v1.HealthGrpc;
import io.grpc.health.v1.HealthGrpc.HealthBlockingStub;
import java.time.Duration;
import toystore.rpc.Problem;
import toystore.service.Channel;

/// Asks a service whether it is ready, by gRPC's own health protocol. Any thread.
final class HealthClient {
  /// The name of a service as a whole.
  private static final HealthCheckRequest OVERALL =
      HealthCheckRequest.newBuilder().setService("").build();

  private static final Duration DEADLINE = Duration.ofMillis(500);

  private final HealthBlockingStub health;

  HealthClient(Channel channel) {
    this.health = HealthGrpc.newBlockingStub(channel.unguarded());
  }

  /// `SERVING`, what the service says instead, or why it cannot be asked.
  String status() {
    try {
      return health.withDeadlineAfter(DEADLINE).check(OVERALL).getStatus().name();
    } catch (StatusRuntimeException e) {
      return Problem.of(e).message();
    }
  }
}
