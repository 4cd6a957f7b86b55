package toystore.gatling;

import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import toystore.gatling.environment.StoreProvisioner.Distance;

/// Compares distances: one store in its own network namespace, with increasing delay to its clients
/// or between its services.
public final class RemoteSimulation extends Experiment {
  private static final List<Double> ADDED_MILLIS = List.of(0.1, 1.0, 10.0, 20.0);

  static final ExperimentDesign DESIGN =
      new ExperimentDesign(
          "remote",
          "Distance",
          "What does distance multiply: how often does each request pay the round trip?",
          "query-vs-buy",
          List.of(),
          List.of(new Query(), new Buy()),
          new ExperimentDesign.Effort(
              6, ClientCounts.parse("1,5"), Map.of("query", 100, "buy", 100), 50, 5_000),
          new ExperimentDesign.Effort(
              2, ClientCounts.parse("1"), Map.of("query", 25, "buy", 25), 25, 150));

  public RemoteSimulation() {
    super(DESIGN, environments -> environments.distances(distances()));
  }

  private static List<Distance> distances() {
    var none = Stream.of(new Distance("none", "client", 0));
    var some =
        Stream.of("client", "services")
            .flatMap(where ->
                ADDED_MILLIS.stream()
                    .map(millis ->
                        new Distance(
                            where + "-" + String.valueOf(millis).replace(".0", ""),
                            where,
                            millis)));
    return Stream.concat(none, some).toList();
  }
}
