package toystore.platform.telemetry;

import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.ClientCall;
import io.grpc.ClientInterceptor;
import io.grpc.Contexts;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.grpc.MetricCollectingClientInterceptor;
import io.micrometer.core.instrument.binder.grpc.MetricCollectingServerInterceptor;
import io.micrometer.core.instrument.binder.grpc.ObservationGrpcClientInterceptor;
import io.micrometer.core.instrument.binder.grpc.ObservationGrpcServerInterceptor;
import io.micrometer.tracing.handler.TracingObservationHandler;
import io.opentelemetry.api.OpenTelemetry;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.context.propagation.ContextPropagators;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.info.BuildProperties;
import org.springframework.boot.micrometer.tracing.autoconfigure.MicrometerTracingAutoConfiguration;
import org.springframework.boot.opentelemetry.autoconfigure.OpenTelemetrySdkAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.core.annotation.Order;
import org.springframework.grpc.client.GlobalClientInterceptor;
import org.springframework.grpc.server.GlobalServerInterceptor;
import toystore.platform.rpc.WriterSpans;
import toystore.platform.service.StoreServiceDescriptor;

/// Instruments gRPC calls with the interceptors of Micrometer. One counts and times every call; the
/// other creates spans for calls that belong to a trace. Boot's own interceptor does both for every
/// call and is much more expensive, see `docs/decisions/0004-grpc-metrics-and-spans-apart.md`.
@AutoConfiguration(after = MicrometerTracingAutoConfiguration.class)
class TelemetryAutoConfiguration {
  private static final Metadata.Key<String> TRACEPARENT =
      Metadata.Key.of("traceparent", Metadata.ASCII_STRING_MARSHALLER);

  /// If spans are not exported ([TracingExportEnvironmentPostProcessor]), none are created, and the
  /// caller's trace context is propagated unchanged.
  @AutoConfiguration(before = OpenTelemetrySdkAutoConfiguration.class)
  @ConditionalOnBooleanProperty(
      name = TracingExportEnvironmentPostProcessor.ENABLED,
      havingValue = false)
  static class WithoutExport {
    @Bean
    OpenTelemetry openTelemetry(ContextPropagators propagators) {
      return OpenTelemetry.propagating(propagators);
    }
  }

  /// The metric `build_info`: the version of each running service.
  @Bean
  SmartInitializingSingleton buildInfo(
      MeterRegistry registry, BuildProperties build, StoreServiceDescriptor service) {
    return () ->
        Gauge.builder("build.info", () -> 1)
            .description("Version of a service; the value is always 1")
            .tag("service", service.name())
            .tag("version", String.valueOf(build.getVersion()))
            .register(registry);
  }

  @Bean
  @GlobalServerInterceptor
  MetricCollectingServerInterceptor grpcServerMetrics(MeterRegistry registry) {
    return new MetricCollectingServerInterceptor(registry);
  }

  @Bean
  @GlobalClientInterceptor
  MetricCollectingClientInterceptor grpcClientMetrics(MeterRegistry registry) {
    return new MetricCollectingClientInterceptor(registry);
  }

  /// Creates spans only for calls with a trace context. A service does not start traces itself,
  /// because no request waits for its background calls.
  @Bean
  @Order(1)
  @GlobalServerInterceptor
  ServerInterceptor grpcServerSpans(
      Tracer tracer, ObjectProvider<TracingObservationHandler<?>> handlers) {
    var spans = new ObservationGrpcServerInterceptor(SpanObservations.registry(handlers));
    return new ServerInterceptor() {
      @Override
      public <Q, A> ServerCall.Listener<Q> interceptCall(
          ServerCall<Q, A> call, Metadata headers, ServerCallHandler<Q, A> next) {
        return headers.containsKey(TRACEPARENT)
            ? spans.interceptCall(call, headers, rememberSpan(next))
            : next.startCall(call, headers);
      }

      private <Q, A> ServerCallHandler<Q, A> rememberSpan(ServerCallHandler<Q, A> next) {
        return (call, headers) ->
            Contexts.interceptCall(WriterSpans.withCurrentSpan(tracer), call, headers, next);
      }
    };
  }

  @Bean
  @Order(1)
  @GlobalClientInterceptor
  ClientInterceptor grpcClientSpans(ObjectProvider<TracingObservationHandler<?>> handlers) {
    var spans = new ObservationGrpcClientInterceptor(SpanObservations.registry(handlers));
    return new ClientInterceptor() {
      @Override
      public <Q, A> ClientCall<Q, A> interceptCall(
          MethodDescriptor<Q, A> method, CallOptions options, Channel next) {
        return Span.current().getSpanContext().isValid()
            ? spans.interceptCall(method, options, next)
            : next.newCall(method, options);
      }
    };
  }
}
