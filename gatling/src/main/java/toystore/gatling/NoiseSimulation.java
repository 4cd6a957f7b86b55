package toystore.gatling;

import java.util.List;

/// Noise: the same store against itself. What differs here differs by chance, so this is what the
/// machine can resolve, and smaller effects elsewhere are none.
public final class NoiseSimulation extends Experiment {
  static final Design DESIGN =
      new Design(
          "noise",
          "Noise",
          "How far apart are two stores that are the same?",
          "",
          List.of("a", "b"),
          new Design.Effort(20, ClientCounts.parse("1,5"), 1_000, 200, 100, 2_000),
          new Design.Effort(4, ClientCounts.parse("1,5"), 300, 100, 50, 500));

  public NoiseSimulation() {
    super(DESIGN, places -> List.of(places.processes("a"), places.processes("b")));
  }
}
