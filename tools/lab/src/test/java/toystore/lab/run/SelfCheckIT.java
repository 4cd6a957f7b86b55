package toystore.lab.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;
import static org.assertj.core.api.Assertions.within;

import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import toystore.lab.report.RunAnalysis;
import toystore.lab.stats.DriftTest;

/// What the lab must find in stores whose times are known, from their start to the figures.
@Tag("long")
@Timeout(300)
class SelfCheckIT {
  @TempDir Path folder;

  @Test
  void plantedFiveMillisecondsAreFoundInTheirPart() throws Exception {
    var plain = new ScriptedStore("plain", _ -> 1_000, _ -> 1_000);
    var delayed = new ScriptedStore("delayed", _ -> 1_000, _ -> 6_000);
    RunAnalysis run = run(1, 200, plain, delayed);
    assertThat(part(run, "delayed", "catalog") - part(run, "plain", "catalog"))
        .isBetween(4_000.0, 8_000.0);
    assertThat(inOrderAlone(run, "delayed") - inOrderAlone(run, "plain"))
        .isCloseTo(0, within(1_500.0));
  }

  /// The time of the order includes that of the catalog.
  private static double inOrderAlone(RunAnalysis run, String subject) {
    return part(run, subject, "order") - part(run, subject, "catalog");
  }

  /// The least of the cells, which other work on the machine disturbed least.
  private static double part(RunAnalysis run, String subject, String part) {
    return run.rows().stream()
        .filter(it -> it.subject().equals(subject) && it.cell().traced() > 0)
        .mapToDouble(it -> it.cell().parts().getOrDefault(part, Double.NaN))
        .min()
        .orElseThrow();
  }

  /// Its latency falls with each call, from 20 ms.
  @Test
  void storeThatIsStillWarmingIsDrifting() throws Exception {
    var warming = new ScriptedStore("warming", call -> 20_000 * 20 / (20 + call), _ -> 100);
    DriftTest drift = run(2, 300, warming).drift("warming", "query");
    assertThat(drift.result()).as(drift.text()).isEqualTo(DriftTest.Result.DRIFTING);
    assertThat(drift.lastOverFirst().high()).isLessThan(1);
  }

  @Test
  void storeWithoutACorrectResponseIsNotMeasured() {
    var broken =
        new ScriptedStore(
            "broken",
            _ -> {
              throw new IllegalStateException("planted");
            },
            _ -> 0);
    assertThatIOException()
        .isThrownBy(() -> run(1, 100, broken))
        .withMessageMatching("test: none of \\d+ responses to query was correct: .*");
  }

  private RunAnalysis run(int blocks, int measuringMillis, Subject... subjects) throws Exception {
    ExperimentPlan plan =
        ExperimentPlan.parse(
            String.format(
                Locale.ROOT,
                """
                {"name": "test", "title": "Test", "question": "?", "subjects": ["%s"],
                 "kinds": ["query"], "clients": [1, 2], "warmUpSeconds": 0, "blocks": %d,
                 "settlingMillis": 50, "measuringMillis": %d, "traceEvery": 4, "maxSteal": 1, "seed": 1}
                """,
                String.join("\", \"", List.of(subjects).stream().map(Subject::name).toList()),
                blocks,
                measuringMillis),
            "test");
    StoredRun run = StoredRun.open(folder.resolve("run"), plan);
    new BlockRunner(plan, List.of(subjects), run, _ -> {}).run(blocks);
    return new RunAnalysis(plan, run.rows());
  }
}
