package toystore.service.watch;

import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.exporter.otlp.http.trace.OtlpHttpSpanExporter;
import io.opentelemetry.exporter.otlp.http.trace.OtlpHttpSpanExporterBuilder;
import io.opentelemetry.sdk.resources.Resource;
import io.opentelemetry.sdk.trace.SdkTracerProvider;
import io.opentelemetry.sdk.trace.export.BatchSpanProcessor;
import io.opentelemetry.sdk.trace.samplers.Sampler;
import java.util.concurrent.TimeUnit;

/// Sends spans to a collector, in batches, by OTLP over HTTP. A class of its own, so that nothing
/// of the SDK is loaded where no spans are exported.
final class OtlpExport {
  /// What may wait to be sent; more is dropped.
  private static final int WAITING = 2_048;

  private static final long LAST_SECONDS = 2;

  private OtlpExport() {}

  static Tracing open(String service, TracingSettings settings, String endpoint, double ratio) {
    OtlpHttpSpanExporterBuilder exporter =
        OtlpHttpSpanExporter.builder().setEndpoint(endpoint).setTimeout(settings.timeout());
    settings.headers().forEach(exporter::addHeader);
    SdkTracerProvider provider =
        SdkTracerProvider.builder()
            .setResource(
                Resource.getDefault()
                    .merge(
                        Resource.create(
                            Attributes.of(AttributeKey.stringKey("service.name"), service))))
            .setSampler(Sampler.parentBased(Sampler.traceIdRatioBased(ratio)))
            .addSpanProcessor(
                BatchSpanProcessor.builder(exporter.build()).setMaxQueueSize(WAITING).build())
            .build();
    return Tracing.to(provider, () -> provider.shutdown().join(LAST_SECONDS, TimeUnit.SECONDS));
  }
}
