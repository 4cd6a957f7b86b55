package toystore.gatling;

import java.util.List;
import java.util.Map;

/// Compares a store with itself. All differences here are due to chance, so they give the
/// resolution of the machine: smaller differences in other experiments are not significant.
public final class NoiseSimulation extends Experiment {
  static final ExperimentDesign DESIGN =
      new ExperimentDesign(
          "noise",
          "Noise",
          "How far apart are two stores that are the same?",
          "",
          List.of("a", "b"),
          List.of(new Query(), new Buy()),
          new ExperimentDesign.Effort(
              20, ClientCounts.parse("1,5"), Map.of("query", 1_000, "buy", 200), 100, 10_000),
          new ExperimentDesign.Effort(
              3, ClientCounts.parse("1,5"), Map.of("query", 300, "buy", 100), 50, 300));

  public NoiseSimulation() {
    super(
        DESIGN, environments -> List.of(environments.processes("a"), environments.processes("b")));
  }
}
