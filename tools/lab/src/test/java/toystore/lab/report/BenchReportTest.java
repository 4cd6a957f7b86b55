package toystore.lab.report;

import static org.assertj.core.api.Assertions.assertThat;
import static toystore.common.RootLocale.format;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import toystore.lab.run.BlockRow;
import toystore.lab.run.ExperimentPlan;

/// The tables of stores and a floor with known figures.
class BenchReportTest {
  private static final String PLAN =
      """
      {"name": "bench", "title": "", "question": "", "brief": true,
       "subjects": ["mvc", "store", "before"], "kinds": ["empty", "query", "buy"], "clients": [1],
       "moreCells": ["store/5/buy"], "warmUpSeconds": 0, "repetitions": 1, "blocks": 2, "contrasts": [
         {"name": "buy, 5 ÷ 1", "of": ["store/5/buy"], "to": ["store/1/buy"], "percentile": 99},
         {"name": "buy, after ÷ before", "of": ["store/1/buy"], "to": ["before/1/buy"]}]}
      """;

  @Test
  void storeIsComparedWithFloorsAndWithTheOtherVersion() throws IOException {
    var rows = new ArrayList<BlockRow>();
    rows.addAll(rows("mvc", "empty", "1"));
    rows.addAll(rows("store", "query", "1"));
    rows.addAll(rows("store", "buy", "1, 5"));
    rows.addAll(rows("before", "buy", "1"));
    var run = new RunAnalysis(ExperimentPlan.parse(PLAN, "test"), rows);
    assertThat(new BenchReport(run).markdown())
        .contains("| ÷ | of | mvc | store | before |")
        .containsPattern("\\| query @1 \\| p50 \\| 1\\.0.* \\| – \\| – \\|")
        .containsPattern("\\| buy @1 \\| p50 \\| 3\\.0.* \\| – \\| 1\\.0.* \\|")
        .containsPattern("\\| buy, before @1 \\| p50 \\| 3\\.0.* \\| 1\\.0.* \\| – \\|")
        .containsPattern("\\| buy, 5 ÷ 1 \\| p99 \\| 1\\.4")
        .containsPattern("\\| buy, after ÷ before \\| mean \\| 1\\.0")
        .contains("| store, frontend | 100 [100, 100] |", "| before, catalog | 90 [90, 90] |");
  }

  private static List<BlockRow> rows(String subject, String kind, String clients)
      throws IOException {
    String plan =
        format(
            """
            {"name": "synthetic", "title": "", "question": "", "subjects": ["%s"], "kinds": ["%s"],
             "clients": [%s], "warmUpSeconds": 0, "repetitions": 1, "blocks": 2}
            """,
            subject, kind, clients);
    return SyntheticRun.of(ExperimentPlan.parse(plan, "test")).rows().stream()
        .filter(it -> !it.second())
        .toList();
  }
}
