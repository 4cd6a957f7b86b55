package toystore.bazaarlab;

import java.net.URI;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import toystore.gatling.ClientCounts;
import toystore.gatling.ExperimentDesign;
import toystore.gatling.environment.Subject;

/// Compares synchronization strategies without a service around them: what does synchronization
/// cost, and when is a read lock faster than a write lock? A client is a thread; a call is several
/// operations, one after another.
public final class LocksExperiment extends ExperimentProgram {
  /// `milliseconds`: measured time of a cell in each repetition; the warm-up takes as long.
  static final ExperimentDesign DESIGN =
      new ExperimentDesign(
          "locks",
          "Locks",
          "What does it cost that threads share a map under one lock, a read-write lock or a single writer, and when is a read lock faster than a write lock?",
          "locks",
          List.of(),
          List.of(),
          new ExperimentDesign.Effort(
              4, ClientCounts.parse("1,2,4,8,16"), Map.of("milliseconds", 600), 0, 1),
          new ExperimentDesign.Effort(
              2, ClientCounts.parse("1,8"), Map.of("milliseconds", 150), 0, 1));

  private static final List<Subject> STRATEGIES =
      List.of(
          strategy("mutex", "one lock for reads and writes"),
          strategy("read-write-lock", "a lock that many may hold to read, one to write"),
          strategy("writer", "one thread writes, in batches; reads take no lock"));

  public LocksExperiment() {
    super(DESIGN);
  }

  private static Subject strategy(String name, String what) {
    return new Subject(
        name,
        what,
        URI.create("lock:" + name),
        Optional.empty(),
        List.of(),
        Map::of,
        () -> {},
        Map.of());
  }

  @Override
  Setup prepare(RunContext context) {
    int milliseconds = Objects.requireNonNull(context.effort().calls().get("milliseconds"));
    var measurements = new ArrayList<BenchmarkCase>();
    var warmUps = new ArrayList<WarmUpStep>();
    var about = new LinkedHashMap<String, String>();
    about.put("kinds", "unlike"); // calls of different kinds have different numbers of operations
    for (LockMeasurement.Mix mix : LockMeasurement.Mix.all()) {
      about.put("kind." + mix.kind(), mix.what());
      for (Subject strategy : STRATEGIES) {
        for (int threads : context.effort().clients().each()) {
          measurements.add(
              new LockMeasurement(
                  strategy.name(), threads, mix, milliseconds, context.loadClient()));
        }
      }
    }
    // each implementation once, so the compiler has seen all before the first measurement
    for (Subject strategy : STRATEGIES) {
      var first =
          new LockMeasurement(
              strategy.name(),
              2,
              new LockMeasurement.Mix(90, false),
              milliseconds,
              context.loadClient());
      warmUps.add(() -> first.measure(0));
    }
    return new Setup(STRATEGIES, measurements, about, warmUps);
  }
}
