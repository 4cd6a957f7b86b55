package toystore.lab.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import toystore.lab.load.CellRow;
import toystore.lab.load.JsonFile;
import toystore.lab.run.BlockRow;
import toystore.lab.run.ExperimentPlan;
import toystore.lab.run.Experiments;
import toystore.lab.stats.SequentialStop;
import toystore.lab.stats.SequentialStop.Decision;

/// Whole runs of `lab ab` without stores: simulated blocks pass through its decisions.
class CommitComparisonTest {
  private static final int RUNS = 100;
  private static final double BETWEEN_STARTS = 0.05;
  private static final double BETWEEN_REPETITIONS = 0.03;
  private static final double FASTER_WITH_AGE = 0.10; // of the second repetition
  private static final Duration BLOCK = Duration.ofSeconds(85);
  private static final SequentialStop STOP = new SequentialStop(0.10, Duration.ofMinutes(25));

  private final ExperimentPlan plan;

  CommitComparisonTest() throws IOException {
    plan = Experiments.plan("ab");
  }

  @Test
  void findsARegressionOf10PercentInMostRuns() {
    assertThat(slower("buy", 1.10)).isGreaterThan(RUNS * 80 / 100);
  }

  @Test
  void findsEqualCommitsSlowerInFewRuns() {
    assertThat(slower("", 1)).isLessThan(RUNS * 10 / 100);
  }

  @Test
  void namesTheSlowerContrasts() {
    CommitComparison comparison = run(new Random(3), "buy", 1.5);
    assertThat(comparison.markdown("1a2b Old", "3c4d New", "18 blocks."))
        .startsWith("**Slower: buy, one client; buy, four clients.**")
        .contains("before: 1a2b Old", "after: 3c4d New", "18 blocks.", "before query: drifting")
        .containsPattern("\\| buy, one client \\| \\d+ \\| \\d+ \\| 1\\.\\d\\d \\[1\\.");
  }

  /// The number of runs with a slower contrast.
  private int slower(String kind, double factor) {
    int slower = 0;
    for (int seed = 0; seed < RUNS; seed++) {
      slower += run(new Random(seed), kind, factor).isSlower() ? 1 : 0;
    }
    return slower;
  }

  private CommitComparison run(Random random, String kind, double factor) {
    var rows = new ArrayList<BlockRow>();
    for (int block = 1; ; block++) {
      rows.addAll(start(random, block, "before", kind, 1));
      rows.addAll(start(random, block, "after", kind, factor));
      var comparison = new CommitComparison(new RunAnalysis(plan, rows));
      if (comparison.decide(STOP, BLOCK.multipliedBy(block)) != Decision.CONTINUE) {
        return comparison;
      }
    }
  }

  private List<BlockRow> start(
      Random random, int block, String subject, String slowerKind, double factor) {
    var rows = new ArrayList<BlockRow>();
    double ofStart = BETWEEN_STARTS * random.nextGaussian();
    for (String kind : plan.kinds()) {
      for (int clients : plan.clients()) {
        for (int repetition = 1; repetition <= 2; repetition++) {
          double logarithm =
              ofStart
                  + BETWEEN_REPETITIONS * random.nextGaussian()
                  - FASTER_WITH_AGE * (repetition - 1);
          double micros =
              500 * clients * Math.exp(logarithm) * (kind.equals(slowerKind) ? factor : 1);
          rows.add(new BlockRow(block, 1, subject, false, row(kind, clients, repetition, micros)));
        }
      }
    }
    return rows;
  }

  private static CellRow row(String kind, int clients, int repetition, double micros) {
    return JsonFile.MAPPER.convertValue(
        Map.of(
            "phase",
            "closed",
            "kind",
            kind,
            "clients",
            clients,
            "condition",
            "",
            "repetition",
            repetition,
            "seconds",
            2,
            "count",
            1_000,
            "meanMicros",
            micros),
        CellRow.class);
  }
}
