package toystore.lab.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import toystore.lab.load.CellRow;
import toystore.lab.load.JsonFile;

class ResultsTableTest {
  private static final String TABLE =
      """
      block,start,subject,phase,kind,clients,repetition,mean_us,count,seconds,errors
      1,1,old,closed,buy,5,1,1000.5,100,2,
      1,2,new,closed,buy,5,1,1200,100,2,3
      1,3,old,closed,buy,5,1,1001,100,2,
      2,1,old,closed,buy,5,1,999,100,2,
      """;

  @TempDir Path folder;

  @Test
  void aLaterStartOfTheSameSubjectInABlockIsTheSecond() throws IOException {
    assertThat(read(TABLE)).extracting(BlockRow::second).containsExactly(false, false, true, false);
  }

  @Test
  void callsThatWereAskedAreTheCorrectAndTheWrongOnes() throws IOException {
    CellRow cell = read(TABLE).get(1).cell();
    assertThat(List.of(cell.count(), cell.completed(), cell.errors(), cell.asked()))
        .containsExactly(100L, 100L, 3L, 103L);
  }

  @Test
  void whatIsReadIsWrittenAgain() throws IOException {
    Path file = folder.resolve("again.csv");
    ResultsTable.write(file, read(TABLE).stream().map(ResultsTableTest::published).toList());
    assertThat(file).hasContent(TABLE);
  }

  private static BlockRow published(BlockRow row) {
    CellRow cell = JsonFile.with(row.cell(), fields -> fields.put("asked", 0).put("completed", 0));
    return new BlockRow(row.block(), row.start(), row.subject(), row.second(), cell);
  }

  @Test
  void aMistakeHasItsLine() {
    assertThatIOException()
        .isThrownBy(() -> read(TABLE.replace("1200", "much")))
        .withMessage(
            folder.resolve("results.csv")
                + ", line 3: cell.meanMicros: expected a number, got \"much\"");
  }

  private List<BlockRow> read(String csv) throws IOException {
    return ResultsTable.read(Files.writeString(folder.resolve("results.csv"), csv));
  }
}
