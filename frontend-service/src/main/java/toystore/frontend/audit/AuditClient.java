package toystore.frontend.audit;

import io.grpc.StatusRuntimeException;
import java.time.Duration;
import java.util.List;
import java.util.function.Supplier;
import org.springframework.stereotype.Component;
import toystore.catalog.v1.CatalogServiceGrpc;
import toystore.catalog.v1.CatalogServiceGrpc.CatalogServiceBlockingStub;
import toystore.common.v1.AuditCheck;
import toystore.order.v1.OrderServiceGrpc;
import toystore.order.v1.OrderServiceGrpc.OrderServiceBlockingStub;
import toystore.rpc.Problem;
import toystore.service.Channel;

/// Asks the services to check their invariants. One that cannot be asked is a check that failed.
/// Any thread.
@Component
final class AuditClient {
  private static final Duration DEADLINE = Duration.ofSeconds(120);

  private final CatalogServiceBlockingStub catalog;
  private final OrderServiceBlockingStub orders;

  AuditClient(Channel catalogChannel, Channel orderChannel) {
    this.catalog = CatalogServiceGrpc.newBlockingStub(catalogChannel.unguarded());
    this.orders = OrderServiceGrpc.newBlockingStub(orderChannel.unguarded());
  }

  List<AuditReport.Check> catalog(boolean full) {
    var request = toystore.catalog.v1.AuditRequest.newBuilder().setFull(full).build();
    return checks(
        "catalog", () -> catalog.withDeadlineAfter(DEADLINE).audit(request).getChecksList());
  }

  List<AuditReport.Check> orders(boolean full) {
    var request = toystore.order.v1.AuditRequest.newBuilder().setFull(full).build();
    return checks("order", () -> orders.withDeadlineAfter(DEADLINE).audit(request).getChecksList());
  }

  private static List<AuditReport.Check> checks(String service, Supplier<List<AuditCheck>> audit) {
    try {
      return audit.get().stream()
          .map(check ->
              new AuditReport.Check(
                  service + ": " + check.getName(), check.getOk(), check.getDetail()))
          .toList();
    } catch (StatusRuntimeException e) {
      return List.of(new AuditReport.Check(service + "-service", false, Problem.of(e).message()));
    }
  }
}
