package toystore.platform.telemetry;

import io.prometheus.metrics.tracer.common.SpanContext;
import io.prometheus.metrics.tracer.otel.OpenTelemetrySpanContext;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.micrometer.metrics.autoconfigure.CompositeMeterRegistryAutoConfiguration;
import org.springframework.boot.micrometer.metrics.autoconfigure.MetricsAutoConfiguration;
import org.springframework.boot.micrometer.metrics.autoconfigure.export.prometheus.PrometheusMetricsExportAutoConfiguration;
import org.springframework.boot.micrometer.metrics.autoconfigure.jvm.JvmMetricsAutoConfiguration;
import org.springframework.boot.micrometer.metrics.autoconfigure.system.SystemMetricsAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/// The meter registry of a JVM with several services, in the parent of their contexts. One
/// management port shows all metrics, and JVM metrics occur only once.
@Configuration(proxyBeanMethods = false)
@ImportAutoConfiguration({
  MetricsAutoConfiguration.class,
  CompositeMeterRegistryAutoConfiguration.class,
  PrometheusMetricsExportAutoConfiguration.class,
  JvmMetricsAutoConfiguration.class,
  SystemMetricsAutoConfiguration.class
})
public class SharedMeterRegistryConfiguration {
  /// The trace of an exemplar is that of the thread's current span, whichever service began it.
  @Bean
  SpanContext spanContext() {
    return new OpenTelemetrySpanContext();
  }
}
