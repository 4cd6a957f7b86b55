package toystore.lab.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import toystore.lab.report.RunAnalysis;
import toystore.lab.report.RunReport;

class ImportedRunTest {
  private static final String HEADER = "block,start,subject,kind,clients,repetition,mean_us\n";

  @TempDir Path folder;

  @Test
  void resultsOfOthersHaveTheSameStatistics() throws IOException {
    var lines = new StringBuilder(HEADER);
    for (int block = 1; block <= 6; block++) {
      for (int start = 1; start <= 3; start++) { // old, new, old again
        for (int repetition = 1; repetition <= 2; repetition++) {
          lines.append(
              String.format(
                  Locale.ROOT,
                  "%d,%d,%s,buy,5,%d,%d%n",
                  block,
                  start,
                  start == 2 ? "new" : "old",
                  repetition,
                  (start == 2 ? 1_200 : 1_000) + block + repetition));
        }
      }
    }
    Path run = folder.resolve("run");
    read(lines.toString()).store(run);
    var analysis = new RunAnalysis(StoredRun.read(run).plan(), StoredRun.read(run).rows());
    assertThat(analysis.blocks()).isEqualTo(6);
    assertThat(analysis.baselineRatio(new CellKey("old", "", 5, "buy")).contains(1)).isTrue();
    assertThat(analysis.means(new CellKey("new", "", 5, "buy"), false)).containsEntry(6, 1_207.5);
    assertThat(Files.readString(RunReport.writePage(run, folder.resolve("none"))))
        .contains("results.csv");
    assertThatIOException()
        .isThrownBy(() -> read(lines.toString()).store(run))
        .withMessage(run + " exists; move it away or choose another name");
  }

  @Test
  void mistakesHaveTheirLine() {
    rejects("a,b\n1,2\n", ", line 1: expected the columns block, start, subject");
    rejects(HEADER, ": expected at least one line, found none");
    rejects(
        HEADER + "1,1,old,buy,5,1,1000\n1,1,old,buy,x,2,1000\n",
        ", line 3: clients: expected a number above 0, got \"x\"");
    rejects(
        HEADER + "1,1,old,buy,5,1,0\n", ", line 2: mean_us: expected a number above 0, got \"0\"");
    rejects(HEADER + "1,1,,buy,5,1,9\n", ", line 2: subject: expected a name without /, got \"\"");
    rejects(
        HEADER + "1,1,old,buy,5,1,9\n1,1,old,buy,5,1,9\n",
        ", line 3: repetition: expected one that the cell does not have yet, got \"1\"");
    rejects(HEADER + "2,1,old,buy,5,1,9\n", ": expected the blocks 1 to 1, got [2]");
  }

  private void rejects(String csv, String message) {
    assertThatIOException()
        .isThrownBy(() -> read(csv))
        .withMessageStartingWith(folder.resolve("results.csv") + message);
  }

  private ImportedRun read(String csv) throws IOException {
    return ImportedRun.read(Files.writeString(folder.resolve("results.csv"), csv), "theirs");
  }
}
