package toystore.service.watch;

import java.net.URI;
import java.time.Duration;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import toystore.service.StartRefused;

/// Where spans go, under the names Spring Boot gives these settings.
///
/// @param endpoint URL of a collector's OTLP over HTTP, such as `http://127.0.0.1:4318/v1/traces`;
///   absent: no spans are exported
/// @param timeout of one attempt to send
/// @param headers sent along, such as a collector's token; never logged
@ConfigurationProperties("management.opentelemetry.tracing.export.otlp")
record TracingSettings(
    @Nullable String endpoint,
    @DefaultValue("10s") Duration timeout,
    @DefaultValue Map<String, String> headers) {
  TracingSettings {
    if (endpoint != null && !endpoint.isBlank() && !isHttp(endpoint)) {
      throw new StartRefused(
          "setting management.opentelemetry.tracing.export.otlp.endpoint must be an http or https"
              + " URL, such as http://127.0.0.1:4318/v1/traces, got \"%s\"".formatted(endpoint));
    }
  }

  /// How many of the requests that bring no decision of their own are traced.
  @ConfigurationProperties("management.tracing.sampling")
  record Sampling(@DefaultValue("0.1") double probability) {
    Sampling {
      if (!(probability >= 0 && probability <= 1)) {
        throw new StartRefused(
            "setting management.tracing.sampling.probability must be from 0 to 1, got "
                + probability);
      }
    }
  }

  Tracing open(String service, Sampling sampling) {
    return endpoint == null || endpoint.isBlank()
        ? Tracing.off()
        : OtlpExport.open(service, this, endpoint, sampling.probability());
  }

  private static boolean isHttp(String endpoint) {
    try {
      URI uri = URI.create(endpoint);
      return uri.getHost() != null && String.valueOf(uri.getScheme()).matches("https?");
    } catch (IllegalArgumentException noUri) {
      return false;
    }
  }

  @Override
  public String toString() {
    return "TracingSettings[endpoint=" + endpoint + ", timeout=" + timeout + "]";
  }
}
