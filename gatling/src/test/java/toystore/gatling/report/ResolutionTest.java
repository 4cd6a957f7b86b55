package toystore.gatling.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ResolutionTest {
  @TempDir Path folder;

  @Test
  void resolutionIsTheFarBoundOfTheIntervalRoundedUp() throws IOException {
    var run =
        new SyntheticRuns(folder)
            .noise(0)
            .run(
                "noise",
                "a b",
                List.of(1, 5),
                Map.of(),
                (subject, clients, kind) -> subject.equals("b") && clients == 5 ? 961 : 1_000);
    // 1000 ÷ 961 is 1.0406; no repetition differs, so the interval is the ratio
    assertThat(Resolution.of(RunByCell.of(run)))
        .extracting(Resolution::byKind)
        .isEqualTo(Map.of("query", 1.05, "buy", 1.05));
  }

  @Test
  void resolutionIsUnknownAfterOneRepetition() throws IOException {
    var run = new SyntheticRuns(folder).repetitions(1).noise();
    assertThat(Resolution.of(RunByCell.of(run)).isKnown()).isFalse();
  }

  @Test
  void resolutionOfOneMachineIsNotAppliedToRunsOnAnother() throws IOException {
    var runs = new SyntheticRuns(folder);
    var here = Map.of("cpu", "A", "cores", "2", "os", "Linux 6");
    var noise =
        Resolution.of(RunByCell.of(runs.run("noise", "a b", List.of(1), here, (s, c, k) -> 1_000)));
    var run = runs.run("same", "a", List.of(1), here, (s, c, k) -> 1_000);
    assertThat(noise.appliedTo(run)).isEqualTo(noise);

    var elsewhere = Map.of("cpu", "B", "cores", "2", "os", "Linux 6");
    var other = runs.run("other", "a", List.of(1), elsewhere, (s, c, k) -> 1_000);
    assertThat(noise.appliedTo(other)).isEqualTo(Resolution.UNKNOWN);
  }

  @Test
  void ratioOfTwoKindsUsesTheCoarserResolution() {
    var resolution = new Resolution(Map.of("query", 1.02, "buy", 1.07), "");
    assertThat(resolution.of("query", "buy")).isEqualTo(1.07);
    assertThat(resolution.of("lookup")).isEqualTo(1);
  }
}
