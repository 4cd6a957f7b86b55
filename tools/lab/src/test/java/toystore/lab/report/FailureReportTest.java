package toystore.lab.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import toystore.lab.run.ClientFunction;
import toystore.lab.run.Failure;
import toystore.lab.run.FailureRow;
import toystore.lab.run.FailureRun;
import toystore.lab.run.FailureRun.Extent;

class FailureReportTest {
  @TempDir Path folder;

  @Test
  void tablesHaveMediansOfTheRepetitionsAndWhatWasBroken() {
    var rows = new ArrayList<FailureRow>();
    for (int repetition = 1; repetition <= 3; repetition++) {
      rows.add(row(repetition, Failure.CATALOG, ClientFunction.BUY, 1_000L * repetition, ""));
      rows.add(row(repetition, Failure.CATALOG, ClientFunction.RATING, 7, ""));
    }
    rows.add(row(1, Failure.PRIMARY, ClientFunction.BUY, 3_000, "5 acknowledged, 4 done"));
    var report = new FailureReport(rows, Map.of());

    assertThat(report.figure(List.of("answer", "failures")))
        .contains("active catalog 2.00 s, primary of PostgreSQL 3.00 s")
        .endsWith("After 1 of 4 times, a promise was broken.");
    assertThat(report.figure(List.of("table", "failures", "10")))
        .contains("| buy | – | – | – | 1.50 / 9.00 / 2.00 | – | – | – | 1.50 / 9.00 / 3.00 |")
        .contains("| rating | – | – | – | 1.50 / 9.00 / 0.00700 | – | – | – | – |");
    assertThat(report.figure(List.of("table", "failures", "1"))).isEmpty();
    assertThat(report.figure(List.of("table", "failures", "outcome")))
        .contains("| active catalog | 10 | 3 | 2.00 | 3.00 | 600 | 12 | 6 | 18 | 0 | 6.00 | none |")
        .contains("buy: 5 acknowledged, 4 done |");
  }

  @Test
  void pageIsWrittenWithAndWithoutResults() throws IOException {
    Path docs = folder.resolve("docs");
    Files.createDirectories(docs.resolve("evaluation"));
    Files.copy(
        Path.of("../../docs/evaluation/published.csv"), docs.resolve("evaluation/published.csv"));
    Path page = docs.resolve("evaluation/failures.md");
    assertThat(new Evaluation(docs).publish(folder)).isEmpty();
    assertThat(page).content().contains("**Not run yet.**").doesNotContain("{{", "## 10 pairs");

    storeCompleteRun();
    assertThat(new Evaluation(docs).publish(folder)).containsExactly(FailureRun.NAME);
    assertThat(page)
        .content()
        .contains("After each of the 72 times, everything acknowledged was there")
        .contains("## 100 pairs", "- cores: `2`");
    assertThat(docs.resolve("evaluation.md")).content().contains("active exchange 0.0500 s");
  }

  private void storeCompleteRun() throws IOException {
    var lines = new ArrayList<String>();
    lines.add(
        "repetition,pairs,failure,function,mean_micros,p99_micros,gap_millis,correct,"
            + "status503,status504,no_response,other_failures,whole_millis,broken");
    for (int repetition = 1; repetition <= Extent.WHOLE.repetitions(); repetition++) {
      for (int pairs : Extent.WHOLE.pairs()) {
        for (Failure failure : Extent.WHOLE.failures()) {
          for (ClientFunction function : ClientFunction.values()) {
            lines.add(
                String.join(
                    ",",
                    repetition + "",
                    pairs + "",
                    failure.name(),
                    function.name(),
                    "1500,9000,50,100,2,1,3,0,6000,"));
          }
        }
      }
    }
    Path run = Files.createDirectories(folder.resolve(FailureRun.NAME));
    Files.write(FailureRun.table(run), lines);
    Files.writeString(run.resolve("about.json"), "{\"cores\": \"2\"}");
  }

  private static FailureRow row(
      int repetition, Failure failure, ClientFunction function, long gapMillis, String broken) {
    return new FailureRow(
        repetition, 10, failure, function, 1_500, 9_000, gapMillis, 100, 2, 1, 3, 0, 6_000, broken);
  }
}
