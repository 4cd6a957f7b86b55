package toystore.gatling.result;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Map;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RunFolderTest {
  private static final Cell CELL = new Cell("processes", 2, "buy");

  @TempDir Path folder;

  @Test
  void readReturnsWhatWasAdded() throws IOException {
    var run = RunFolder.create(folder, Map.of("experiment", "e", "subjects", "processes together"));
    run.add(sample(1), micros(100, 300), List.of(part(1)));
    run.add(sample(2), micros(500), List.of());
    run.note(Map.of("finished", "now"));

    var read = RunFolder.read(folder);
    assertThat(read.samples()).containsExactly(sample(1), sample(2));
    assertThat(read.observations()).containsExactly(part(1));
    assertThat(read.subjects()).containsExactly("processes", "together");
    assertThat(read.isFinished()).isTrue();
    assertThat(read.has(2, CELL)).isTrue();
    assertThat(read.has(3, CELL)).isFalse();
    var all = read.histograms().get(CELL);
    assertThat(all).isNotNull().extracting(Histogram::getTotalCount).isEqualTo(3L);
  }

  @Test
  void tornSampleIsMeasuredAgainAndCountsOnce() throws IOException {
    var run = RunFolder.create(folder, Map.of("experiment", "e"));
    run.add(sample(1), micros(100), List.of(part(1)));
    String whole = Files.readString(folder.resolve("samples.csv"));
    run.add(sample(2), micros(200), List.of(part(2)));
    Files.writeString(folder.resolve("samples.csv"), whole + "2,processes,2,bu");

    var again = RunFolder.read(folder);
    assertThat(again.samples()).containsExactly(sample(1));
    assertThat(again.observations()).containsExactly(part(1));
    again.add(sample(2), micros(300), List.of(part(2)));

    var read = RunFolder.read(folder);
    assertThat(read.samples()).containsExactly(sample(1), sample(2));
    assertThat(read.observations()).containsExactly(part(1), part(2));
    assertThat(read.histograms().get(CELL))
        .isNotNull()
        .extracting(Histogram::getTotalCount)
        .isEqualTo(2L);
  }

  @Test
  void readFailsWithFileAndLineWhenALineIsMalformed() throws IOException {
    RunFolder.create(folder, Map.of("experiment", "e"));
    Files.writeString(folder.resolve("samples.csv"), "1,2\n", StandardOpenOption.APPEND);
    assertThatThrownBy(() -> RunFolder.read(folder))
        .hasMessageContaining("samples.csv")
        .hasMessageEndingWith("found '1,2'");
  }

  private static RepetitionSummary sample(int repetition) {
    return new RepetitionSummary(
        repetition,
        CELL,
        10,
        123.4,
        100,
        200,
        300,
        400,
        0.5,
        new RepetitionSummary.Strain(0.5, 0.75, 12, 60));
  }

  private static ObservedValue part(int repetition) {
    return new ObservedValue(repetition, CELL, "part.commit", 12.5, "µs");
  }

  private static Histogram micros(long... values) {
    var micros = new Histogram(3);
    for (long value : values) {
      micros.recordValue(value);
    }
    return micros;
  }
}
