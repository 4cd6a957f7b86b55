/// Observability of a service: the wiring of Micrometer and OpenTelemetry as configured by Boot,
/// and our additions.
///
/// - [TelemetryAutoConfiguration]: metrics and spans of gRPC calls, by Micrometer's interceptors;
///   [TracingExportEnvironmentPostProcessor] enables OpenTelemetry if spans are exported.
///
/// Boot provides the rest (HTTP requests, JVM, process, export, trace ids in log lines).
/// `docs/reference/metrics.md` lists every name; `every-service.properties` has the bounds of the
/// histograms.
@NullMarked
package toystore.platform.telemetry;

import org.jspecify.annotations.NullMarked;
