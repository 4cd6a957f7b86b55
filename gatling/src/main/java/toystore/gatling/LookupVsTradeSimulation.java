package toystore.gatling;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import toystore.gatling.environment.StoreProvisioner.Distance;
import toystore.gatling.environment.Subject;
import toystore.gatling.result.ChartDefinition;

/// Compares `GET /stocks/{name}` with trades by `POST /orders`: on this machine, at a distance and
/// in containers, with constant and with changing prices.
public final class LookupVsTradeSimulation extends Experiment {
  /// Approximates the published remote lookups.
  private static final double REMOTE_MILLIS = 15;

  static final ExperimentDesign DESIGN =
      new ExperimentDesign(
          "lookup-vs-trade",
          "Lookup versus trade",
          "How does a lookup compare with a trade, near, far and in containers, and does it cost either that prices change meanwhile?",
          "lookup-vs-trade",
          List.of("target"),
          List.of(new Lookup(), new Trade()),
          new ExperimentDesign.Effort(
              6, ClientCounts.parse("1-5"), Map.of("lookup", 200, "trade", 200), 100, 5_000),
          new ExperimentDesign.Effort(
              2, ClientCounts.parse("1,5"), Map.of("lookup", 50, "trade", 50), 25, 50),
          List.of(
              chart("local", "near"),
              chart("remote", "far"),
              chart("containers", "in containers")));

  private static ChartDefinition chart(String store, String where) {
    return new ChartDefinition(
        store,
        "Mean latency %s, prices as they are and updated".formatted(where),
        List.of(
            store + "/lookup",
            store + "-updated/lookup",
            store + "/trade",
            store + "-updated/trade"));
  }

  public LookupVsTradeSimulation() {
    super(
        DESIGN,
        environments -> {
          var subjects = new ArrayList<Subject>();
          subjects.addAll(environments.withUpdates(environments.processes("local")));
          var remote =
              environments.distances(List.of(new Distance("remote", "client", REMOTE_MILLIS)));
          subjects.addAll(environments.withUpdates(remote.getFirst()));
          subjects.addAll(environments.withUpdates(environments.bridge("containers")));
          return List.copyOf(subjects);
        });
  }
}
