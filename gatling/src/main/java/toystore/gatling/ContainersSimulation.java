package toystore.gatling;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import toystore.gatling.environment.Subject;

/// Compares the same store as processes, in one JVM, and in containers: on the host's network, on a
/// bridge, behind a published port, and with its database in the container's own layer.
public final class ContainersSimulation extends Experiment {
  static final ExperimentDesign DESIGN =
      new ExperimentDesign(
          "containers",
          "With and without containers",
          "Does latency change with containers, and which step carries the cost?",
          "query-vs-buy",
          List.of(),
          List.of(new Query(), new Buy()),
          new ExperimentDesign.Effort(
              15, ClientCounts.parse("1,5"), Map.of("query", 500, "buy", 100), 100, 10_000),
          new ExperimentDesign.Effort(
              2, ClientCounts.parse("1,5"), Map.of("query", 200, "buy", 50), 50, 150));

  public ContainersSimulation() {
    super(
        DESIGN,
        environments -> {
          var subjects = new ArrayList<Subject>();
          subjects.add(environments.processes("processes"));
          subjects.add(environments.together("together"));
          subjects.addAll(environments.containers());
          return List.copyOf(subjects);
        });
  }
}
