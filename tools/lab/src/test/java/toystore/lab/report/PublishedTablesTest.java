package toystore.lab.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.groups.Tuple.tuple;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import toystore.lab.report.PublishedTables.Finding;

class PublishedTablesTest {
  private static final String HEADER =
      "source,experiment,placement,clients,iteration,operation,metric,value,unit\n";

  @TempDir Path folder;

  @Test
  void aRateAboveClientsByLatencyIsImpossible() throws IOException {
    assertThat(findings(cell(1, "8", 36.71, 28.14)))
        .containsExactly(
            new Finding(
                "throughput is at most clients ÷ mean latency",
                "shop, local, query, 1 client: 8",
                "28.14/s at 36.71 ms",
                "27.24/s"));
    assertThat(findings(cell(1, "8", 36.71, 27.24))).isEmpty();
  }

  @Test
  void clientsThatRestBetweenCallsAreFound() throws IOException {
    assertThat(findings(cell(100, "average", 765, 110)))
        .extracting(Finding::law, Finding::expected)
        .contains(tuple("throughput is about clients ÷ mean latency", "130.72/s"));
  }

  @Test
  void aLatencyThatFallsWithMoreClientsIsFound() throws IOException {
    assertThat(findings(latency(1, "lookup", 6.4), latency(2, "lookup", 5.8)))
        .extracting(Finding::law)
        .containsExactly("latency does not fall with more clients");
    assertThat(findings(latency(1, "lookup", 5.8), latency(2, "lookup", 5.8))).isEmpty();
  }

  @Test
  void anOperationIsNotFasterThanOneThatItContains() throws IOException {
    assertThat(findings(latency(1, "query", 18.9), latency(1, "buy", 12.7)))
        .extracting(Finding::printed)
        .containsExactly("12.70 ms");
    assertThat(findings(latency(1, "query", 12.7), latency(1, "buy", 18.9))).isEmpty();
  }

  @Test
  void anAverageIsThatOfTheIterations() throws IOException {
    assertThat(findings(latencyOf("1", 10), latencyOf("2", 20), latencyOf("average", 16)))
        .extracting(Finding::law, Finding::expected)
        .containsExactly(tuple("the average is that of the iterations", "15.00"));
  }

  @Test
  void iterationsOfAClosedLoopAreCorrelatedAndDiffer() throws IOException {
    assertThat(findings(iterations(100, 2, 0))).isEmpty();
    assertThat(findings(iterations(100, 0.1, 0)))
        .extracting(Finding::law)
        .containsExactly("repetitions differ");
    assertThat(findings(iterations(100, 2, 2.5)))
        .extracting(Finding::law)
        .containsExactly("the throughput of an iteration follows its latency");
  }

  @Test
  void iterationsThatOnlyBecomeSlowerAreFound() throws IOException {
    String[] slower =
        IntStream.rangeClosed(1, 6)
            .mapToObj(it -> cell(1, "" + it, 100 + 5 * it, 1_000.0 / (100 + 5 * it)))
            .toArray(String[]::new);
    assertThat(findings(slower))
        .extracting(Finding::law)
        .containsExactly("repetitions have no order");
  }

  @Test
  void aMissingColumnIsNamed() throws IOException {
    Path file = Files.writeString(folder.resolve("other.csv"), "source,clients\nshop,1\n");
    assertThatThrownBy(() -> PublishedTables.read(file))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("other.csv")
        .hasMessageContaining("value");
  }

  /// Six iterations with one client.
  ///
  /// @param step ms by which every other latency differs
  /// @param rest ms between the calls of the second half
  private static String[] iterations(double latency, double step, double rest) {
    return IntStream.rangeClosed(1, 6)
        .mapToObj(it -> {
          double millis = latency + step * (it % 2);
          return cell(1, "" + it, millis, 1_000 / (millis + (it > 3 ? rest : 0)));
        })
        .toArray(String[]::new);
  }

  private static String cell(int clients, String iteration, double millis, double perSecond) {
    String row = "shop,sweep,local,%d,%s,query,%s,%s,%s\n";
    return String.format(Locale.ROOT, row, clients, iteration, "mean latency", millis, "ms")
        + String.format(Locale.ROOT, row, clients, iteration, "throughput", perSecond, "ops/s");
  }

  private static String latency(int clients, String operation, double millis) {
    return String.format(
        Locale.ROOT, "shop,sweep,local,%d,,%s,mean latency,%s,ms\n", clients, operation, millis);
  }

  private static String latencyOf(String iteration, double millis) {
    return String.format(
        Locale.ROOT, "shop,sweep,local,1,%s,query,mean latency,%s,ms\n", iteration, millis);
  }

  private List<Finding> findings(String... rows) throws IOException {
    Path file = folder.resolve("published.csv");
    Files.writeString(file, HEADER + String.join("", rows));
    return PublishedTables.read(file).findings();
  }
}
