package toystore.service.watch;

import io.micrometer.core.instrument.Clock;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.binder.MeterBinder;
import io.micrometer.core.instrument.binder.jvm.JvmGcMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmMemoryMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmThreadMetrics;
import io.micrometer.core.instrument.binder.system.FileDescriptorMetrics;
import io.micrometer.core.instrument.binder.system.ProcessorMetrics;
import io.micrometer.core.instrument.binder.system.UptimeMetrics;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import org.springframework.context.ConfigurableApplicationContext;

/// What a process measures. One a JVM: services beside each other share it, so that the one
/// management port shows all of them, and what the JVM says of itself is there once.
///
/// Any thread.
public final class Meters implements AutoCloseable {
  /// What a caller waits for: a query in memory takes 100 µs, a deadline ends at 1 s.
  private static final Duration[] WAITS =
      micros(
          100, 250, 500, 1_000, 2_500, 5_000, 10_000, 25_000, 50_000, 100_000, 250_000, 500_000,
          1_000_000, 2_000_000);

  private final PrometheusRegistry page = new PrometheusRegistry();
  private final PrometheusMeterRegistry registry =
      new PrometheusMeterRegistry(PrometheusConfig.DEFAULT, page, Clock.SYSTEM);

  private final JvmGcMetrics collector = new JvmGcMetrics();

  public Meters() {
    List<MeterBinder> process =
        List.of(
            collector,
            new JvmMemoryMetrics(),
            new JvmThreadMetrics(),
            new ProcessorMetrics(),
            new FileDescriptorMetrics(),
            new UptimeMetrics());
    process.forEach(it -> it.bindTo(registry));
  }

  /// Listens to the JVM no longer.
  @Override
  public void close() {
    collector.close();
    registry.close();
  }

  /// Makes a service use them, and its page show them. They are singletons that Spring did not
  /// make: it would add its filters and binders once more for each service.
  public void addTo(ConfigurableApplicationContext service) {
    var beans = service.getBeanFactory();
    beans.registerSingleton("prometheusMeterRegistry", registry);
    beans.registerSingleton("prometheusRegistry", page);
  }

  /// A histogram of what somebody waits for.
  public static Timer.Builder waits(String name, String meaning) {
    return Timer.builder(name).description(meaning).serviceLevelObjectives(WAITS);
  }

  static Duration[] micros(long... micros) {
    return Arrays.stream(micros)
        .mapToObj(it -> Duration.ofNanos(it * 1_000))
        .toArray(Duration[]::new);
  }
}
