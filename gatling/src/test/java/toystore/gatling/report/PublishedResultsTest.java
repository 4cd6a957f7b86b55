package toystore.gatling.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PublishedResultsTest {
  static final Path FILE = Path.of("../docs/evaluation/published.csv");

  @TempDir Path folder;

  @Test
  void secondsAreConvertedToMilliseconds() throws IOException {
    PublishedResults.Row row = find("query-vs-buy", "remote", 1, "query");
    assertThat(row.unit()).isEqualTo("s");
    assertThat(row.number().orElseThrow()).isEqualTo(Double.parseDouble(row.value()) * 1_000);
    assertThat(row.text()).endsWith(" ms");
  }

  @Test
  void millisecondsAreNotConverted() throws IOException {
    PublishedResults.Row row = find("lookup-vs-trade", "containers", 1, "lookup");
    assertThat(row.number().orElseThrow()).isEqualTo(Double.parseDouble(row.value()));
  }

  @Test
  void valueNotPublishedIsTextWithoutNumber() throws IOException {
    var not =
        PublishedResults.read(FILE).where(row -> row.value().equals(PublishedResults.NOT)).rows();
    assertThat(not)
        .isNotEmpty()
        .allSatisfy(row -> {
          assertThat(row.number()).isEmpty();
          assertThat(row.text()).isEqualTo("not published");
        });
  }

  @Test
  void findReturnsEmptyWhenThereIsNoRow() throws IOException {
    PublishedResults all = PublishedResults.read(FILE).of("query-vs-buy");
    assertThat(all.find("local", 1, "buy", PublishedResults.MEAN)).isEqualTo(Optional.empty());
    assertThat(all.find("local", 6, "query", PublishedResults.MEAN)).isEqualTo(Optional.empty());
  }

  @Test
  void findPrefersTheAverageOfIterations() throws IOException {
    PublishedResults.Row row =
        PublishedResults.read(FILE)
            .of("marketplace")
            .find("layered (REST, gRPC, MySQL)", 1, "search_items", PublishedResults.MEAN)
            .orElseThrow();
    assertThat(row.iteration()).isEqualTo("average");
  }

  @Test
  void quotedFieldMayContainALineBreak() throws IOException {
    Path file = folder.resolve("published.csv");
    String header = Files.readAllLines(FILE).getFirst();
    String row =
        IntStream.rangeClosed(1, 9)
            .mapToObj(i -> i == 3 ? "\"two\nlines, \"\"quoted\"\"\"" : "f" + i)
            .collect(Collectors.joining(","));
    Files.writeString(file, header + "\n" + row + "\n");
    assertThat(PublishedResults.read(file).placements()).containsExactly("two\nlines, \"quoted\"");
  }

  @Test
  void readFailsWithFileAndColumnWhenAColumnIsMissing() throws IOException {
    Path file = Files.writeString(folder.resolve("published.csv"), "source,value\na,1\n");
    assertThatThrownBy(() -> PublishedResults.read(file))
        .isInstanceOf(IOException.class)
        .hasMessageContainingAll(file.toString(), "experiment");
  }

  private static PublishedResults.Row find(
      String experiment, String placement, int clients, String operation) throws IOException {
    return PublishedResults.read(FILE)
        .of(experiment)
        .find(placement, clients, operation, PublishedResults.MEAN)
        .orElseThrow();
  }
}
