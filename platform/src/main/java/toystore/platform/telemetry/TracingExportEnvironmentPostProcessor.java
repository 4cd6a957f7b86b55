package toystore.platform.telemetry;

import java.util.Map;
import org.springframework.boot.EnvironmentPostProcessor;
import org.springframework.boot.SpringApplication;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.core.env.MapPropertySource;
import org.springframework.util.StringUtils;

/// Enables OpenTelemetry only if an export endpoint is configured. Otherwise it would create spans
/// and run an export thread without a target.
class TracingExportEnvironmentPostProcessor implements EnvironmentPostProcessor {
  static final String ENABLED = "management.opentelemetry.enabled";
  private static final String ENDPOINT = "management.opentelemetry.tracing.export.otlp.endpoint";

  @Override
  public void postProcessEnvironment(
      ConfigurableEnvironment environment, SpringApplication application) {
    boolean exports = StringUtils.hasText(environment.getProperty(ENDPOINT));
    environment
        .getPropertySources()
        .addLast(new MapPropertySource("tracing-switch", Map.of(ENABLED, exports)));
  }
}
