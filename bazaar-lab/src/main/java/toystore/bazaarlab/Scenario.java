package toystore.bazaarlab;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import toystore.gatling.environment.Subject;

/// The targets of an experiment and their measurements for each number of clients. One thread.
final class Scenario {
  private final MeasurementLoop.RunContext context;
  private final List<Long> sales;
  private final Set<MeasuredCatalog> targets = new LinkedHashSet<>();
  private final List<Measurement> measurements = new ArrayList<>();
  private final List<MeasurementLoop.WarmUpStep> warmUps = new ArrayList<>();

  Scenario(MeasurementLoop.RunContext context) {
    this(context, List.of());
  }

  /// @param sales sale numbers for queries of sales
  Scenario(MeasurementLoop.RunContext context, List<Long> sales) {
    this.context = context;
    this.sales = sales;
  }

  /// Measures a target with these calls, chosen at random if there are several.
  ///
  /// @param few number of clients for the warm-up
  void add(MeasuredCatalog target, int few, List<GrpcCall> grpcCalls) {
    String kind = grpcCalls.size() > 1 ? "mixed" : grpcCalls.getFirst().label();
    int calls = Objects.requireNonNull(context.effort().calls().get(kind), kind);
    for (int clients : context.effort().clients().each()) {
      measurements.add(
          new ConcurrentClientsMeasurement(
              target, grpcCalls, clients, calls, sales, context.loadClient()));
    }
    targets.add(target);
    int window = Math.min(calls, context.effort().warmUp());
    warmUps.add(() -> target.warmUp(few, window, grpcCalls, sales));
  }

  MeasurementLoop.Setup setup() {
    List<Subject> subjects = targets.stream().map(MeasuredCatalog::subject).toList();
    return new MeasurementLoop.Setup(subjects, measurements, Map.of("waiting", "asked"), warmUps);
  }
}
