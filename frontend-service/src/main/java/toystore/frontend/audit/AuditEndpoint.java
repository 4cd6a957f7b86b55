package toystore.frontend.audit;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;
import org.springframework.boot.actuate.endpoint.web.WebEndpointResponse;
import org.springframework.http.MediaType;
import org.springframework.stereotype.Component;

/// `GET /audit` on the management port: the invariants of all services; 503 when one does not hold
/// or a service cannot be asked. `?full=true` begins again from the first sale.
@Component
@Endpoint(id = "audit")
final class AuditEndpoint {
  private final AuditClient services;
  private volatile double last = Double.NaN;

  AuditEndpoint(AuditClient services, MeterRegistry registry) {
    this.services = services;
    Gauge.builder("toystore.audit.ok", this, it -> it.last)
        .description("Whether the last audit that was asked for held; NaN before the first")
        .register(registry);
  }

  @ReadOperation(produces = MediaType.APPLICATION_JSON_VALUE)
  WebEndpointResponse<AuditReport> audit(@Nullable Boolean full)
      throws InterruptedException, ExecutionException {
    boolean fromTheFirst = Boolean.TRUE.equals(full);
    AuditReport report =
        inParallel(() -> services.catalog(fromTheFirst), () -> services.orders(fromTheFirst));
    last = report.ok() ? 1 : 0;
    return new WebEndpointResponse<>(report, report.ok() ? 200 : 503);
  }

  private static AuditReport inParallel(
      Callable<List<AuditReport.Check>> catalog, Callable<List<AuditReport.Check>> orders)
      throws InterruptedException, ExecutionException {
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      Future<List<AuditReport.Check>> first = threads.submit(catalog);
      Future<List<AuditReport.Check>> second = threads.submit(orders);
      return AuditReport.of(Stream.concat(first.get().stream(), second.get().stream()).toList());
    }
  }
}
