package toystore.gatling;

import java.util.ArrayList;
import java.util.List;
import toystore.gatling.place.Subject;

/// Containers: the same store as processes, in one JVM, and in containers on the host's network, on
/// a bridge, behind a published port, with its database in the container's own layer.
public final class ContainersSimulation extends Experiment {
  static final Design DESIGN =
      new Design(
          "containers",
          "With and without containers",
          "Does latency change with containers, and which step carries the cost?",
          "query-vs-buy",
          List.of(),
          new Design.Effort(10, ClientCounts.parse("1,5"), 500, 100, 100, 2_000),
          new Design.Effort(2, ClientCounts.parse("1,5"), 200, 50, 50, 300));

  public ContainersSimulation() {
    super(
        DESIGN,
        places -> {
          var subjects = new ArrayList<Subject>();
          subjects.add(places.processes("processes"));
          subjects.add(places.together("together"));
          subjects.addAll(places.containers());
          return List.copyOf(subjects);
        });
  }
}
