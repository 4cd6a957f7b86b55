package toystore.service.watch;

import io.grpc.MethodDescriptor;
import io.grpc.Status;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;

/// Timers of gRPC calls by method and code, under the names of gRPC's own proposal A66. As many as
/// there are methods and codes, whatever callers send. Any thread.
final class CallMeters {
  private static final String OURS = "toystore.";
  private static final int CODES = Status.Code.values().length;

  private final MeterRegistry registry;
  private final Timer.Builder timer;
  private final Function<MethodDescriptor<?, ?>, Tags> more;
  private final Map<String, Timer[]> byMethod = new ConcurrentHashMap<>();

  private CallMeters(
      MeterRegistry registry, Timer.Builder timer, Function<MethodDescriptor<?, ?>, Tags> more) {
    this.registry = registry;
    this.timer = timer;
    this.more = more;
  }

  static CallMeters served(MeterRegistry registry) {
    return new CallMeters(
        registry,
        Meters.waits("grpc.server.call.duration", "gRPC calls answered, by method and status"),
        _ -> Tags.empty());
  }

  static CallMeters asked(MeterRegistry registry) {
    return new CallMeters(
        registry,
        Meters.waits("grpc.client.call.duration", "gRPC calls made, by peer, method and status"),
        method -> Tags.of("grpc_target", service(method)));
  }

  /// Whether a method is one of the store's; health and reflection are not looked at.
  static boolean counts(MethodDescriptor<?, ?> method) {
    return method.getFullMethodName().startsWith(OURS);
  }

  void record(MethodDescriptor<?, ?> method, Status.Code code, long nanos) {
    Timer[] byCode = byMethod.computeIfAbsent(method.getFullMethodName(), _ -> new Timer[CODES]);
    Timer known = byCode[code.ordinal()];
    if (known == null) { // two threads at once find the same one
      known =
          timer
              .tags(
                  more.apply(method)
                      .and("grpc_method", method.getFullMethodName(), "grpc_status", code.name()))
              .register(registry);
      byCode[code.ordinal()] = known;
    }
    known.record(nanos, TimeUnit.NANOSECONDS);
  }

  /// `toystore.catalog.v1.CatalogService` → `catalog`.
  static String service(MethodDescriptor<?, ?> method) {
    return method.getFullMethodName().split("\\.", 3)[1];
  }
}
