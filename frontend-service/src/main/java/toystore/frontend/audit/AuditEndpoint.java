package toystore.frontend.audit;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;
import org.springframework.boot.actuate.endpoint.web.WebEndpointResponse;
import org.springframework.http.MediaType;
import org.springframework.stereotype.Component;
import toystore.platform.service.AuditCheck;

/// `GET /audit` on the management port checks the invariants of all services. It returns 503 if one
/// does not hold or a check could not be made. `?full=true` checks again from the first sale.
@Component
@Endpoint(id = "audit")
final class AuditEndpoint {
  private final List<PeerClient> peers;
  private volatile double lastResult = Double.NaN;

  AuditEndpoint(List<PeerClient> peers, MeterRegistry registry) {
    this.peers = peers;
    Gauge.builder("toystore.audit.ok", this, it -> it.lastResult)
        .description(
            "1 if every invariant held in the last audit, 0 if one did not;"
                + " NaN before the first audit or if a check could not be made")
        .register(registry);
  }

  @ReadOperation(produces = MediaType.APPLICATION_JSON_VALUE)
  WebEndpointResponse<AuditReport> audit(@Nullable Boolean full) throws InterruptedException {
    AuditReport report = AuditReport.of(auditInParallel(Boolean.TRUE.equals(full)));
    Boolean ok = report.ok();
    lastResult = ok == null ? Double.NaN : ok ? 1 : 0;
    return new WebEndpointResponse<>(report, Boolean.TRUE.equals(ok) ? 200 : 503);
  }

  private List<AuditCheck> auditInParallel(boolean full) throws InterruptedException {
    List<Callable<List<AuditCheck>>> calls =
        peers.stream().map(peer -> (Callable<List<AuditCheck>>) () -> peer.audit(full)).toList();
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      return threads.invokeAll(calls).stream().flatMap(it -> it.resultNow().stream()).toList();
    }
  }

  /// The result of an audit.
  ///
  /// @param ok false if an invariant does not hold; else null if a check could not be made; else
  ///   true
  record AuditReport(@Nullable Boolean ok, List<AuditCheck> checks) {
    static AuditReport of(List<AuditCheck> checks) {
      boolean violated = checks.stream().anyMatch(it -> Boolean.FALSE.equals(it.ok()));
      boolean complete = checks.stream().allMatch(it -> it.ok() != null);
      return new AuditReport(violated ? Boolean.FALSE : complete ? Boolean.TRUE : null, checks);
    }
  }
}
