package toystore.frontend.audit;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;
import org.springframework.boot.actuate.endpoint.web.WebEndpointResponse;
import org.springframework.http.MediaType;
import org.springframework.stereotype.Component;
import toystore.platform.service.AuditCheckResult;

/// `GET /audit` on the management port checks the invariants of all services. It returns 503 if one
/// does not hold or a check could not be made. `?full=true` checks again from the first sale.
/// [AuditConfiguration] also runs the audit periodically. The last result is a metric. Any thread.
@Component
@Endpoint(id = "audit")
public final class AuditEndpoint {
  private static final Logger log = LoggerFactory.getLogger(AuditEndpoint.class);

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
    AuditReport report = run(Boolean.TRUE.equals(full));
    return new WebEndpointResponse<>(report, Boolean.TRUE.equals(report.ok()) ? 200 : 503);
  }

  public AuditReport run(boolean full) throws InterruptedException {
    AuditReport report = AuditReport.of(auditInParallel(full));
    report.checks().forEach(AuditEndpoint::log);
    lastResult = report.gauge();
    return report;
  }

  /// A detail may contain a customer's idempotency key, so the log has only the check's name.
  private static void log(AuditCheckResult check) {
    if (check.ok() == null) {
      log.info("audit: \"{}\" could not be checked; GET /audit states the reason", check.name());
    } else if (!check.ok()) {
      log.error(
          "audit: \"{}\" does not hold; stop selling; GET /audit states the difference",
          check.name());
    }
  }

  private List<AuditCheckResult> auditInParallel(boolean full) throws InterruptedException {
    List<Callable<List<AuditCheckResult>>> calls =
        peers.stream()
            .map(peer -> (Callable<List<AuditCheckResult>>) () -> peer.audit(full))
            .toList();
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      return threads.invokeAll(calls).stream().flatMap(it -> it.resultNow().stream()).toList();
    }
  }

  /// The result of an audit.
  ///
  /// @param ok false if an invariant does not hold; else null if a check could not be made; else
  ///   true
  public record AuditReport(@Nullable Boolean ok, List<AuditCheckResult> checks) {
    static AuditReport of(List<AuditCheckResult> checks) {
      boolean violated = checks.stream().anyMatch(it -> Boolean.FALSE.equals(it.ok()));
      boolean complete = checks.stream().allMatch(it -> it.ok() != null);
      Boolean held = complete ? Boolean.TRUE : null;
      return new AuditReport(violated ? Boolean.FALSE : held, checks);
    }

    private double gauge() {
      if (ok == null) {
        return Double.NaN;
      }
      return ok ? 1 : 0;
    }
  }
}
