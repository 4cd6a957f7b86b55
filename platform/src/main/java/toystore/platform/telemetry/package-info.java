/// What operators see of a service: the wiring of Micrometer and OpenTelemetry as Boot configures
/// them, and what neither of them knows.
///
/// - [TelemetryAutoConfiguration]: metrics and spans of gRPC calls, by Micrometer's interceptors;
///   [TracingExportCondition] turns OpenTelemetry on where spans are exported.
/// - [WriterMetrics] and [WriterSpans]: metrics, spans and times of the single writer.
/// - [RequestTimings], which [TimingInterceptor] collects from the services behind: the
///   `Server-Timing` header.
///
/// Everything else (HTTP requests, JVM, process, export, trace ids in log lines) is Boot's.
/// `docs/observability.md` has every name, `every-service.properties` the histograms' bounds.
@NullMarked
package toystore.platform.telemetry;

import org.jspecify.annotations.NullMarked;
