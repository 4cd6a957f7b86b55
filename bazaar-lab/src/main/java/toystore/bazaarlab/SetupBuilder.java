package toystore.bazaarlab;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import toystore.gatling.environment.Subject;

/// Builds the set-up of an experiment: its targets and their measurements for each number of
/// clients. One thread.
final class SetupBuilder {
  private final ExperimentProgram.RunContext context;
  private final List<Long> sales;
  private final Set<MeasuredCatalog> targets = new LinkedHashSet<>();
  private final List<BenchmarkCase> measurements = new ArrayList<>();
  private final List<ExperimentProgram.WarmUpStep> warmUps = new ArrayList<>();

  SetupBuilder(ExperimentProgram.RunContext context) {
    this(context, List.of());
  }

  /// @param sales sale numbers for queries of sales
  SetupBuilder(ExperimentProgram.RunContext context, List<Long> sales) {
    this.context = context;
    this.sales = sales;
  }

  /// Measures a target with these calls, chosen at random if there are several.
  ///
  /// @param few number of clients for the warm-up
  void add(MeasuredCatalog target, int few, List<GrpcCallKind> grpcCalls) {
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

  ExperimentProgram.Setup build() {
    List<Subject> subjects = targets.stream().map(MeasuredCatalog::subject).toList();
    return new ExperimentProgram.Setup(subjects, measurements, Map.of("waiting", "asked"), warmUps);
  }
}
