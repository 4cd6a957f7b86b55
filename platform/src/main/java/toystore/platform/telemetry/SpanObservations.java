package toystore.platform.telemetry;

import io.micrometer.observation.ObservationHandler.FirstMatchingCompositeObservationHandler;
import io.micrometer.observation.ObservationRegistry;
import io.micrometer.tracing.handler.TracingObservationHandler;
import org.springframework.beans.factory.ObjectProvider;

/// Observations that create spans and no metrics, which are recorded apart
/// (`docs/decisions/0004-grpc-metrics-and-spans-apart.md`).
public final class SpanObservations {
  private SpanObservations() {}

  /// @param handlers those of Boot that create spans
  public static ObservationRegistry registry(
      ObjectProvider<TracingObservationHandler<?>> handlers) {
    var registry = ObservationRegistry.create();
    registry
        .observationConfig()
        .observationHandler(
            new FirstMatchingCompositeObservationHandler(handlers.orderedStream().toList()));
    return registry;
  }
}
