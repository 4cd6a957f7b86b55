package toystore.gatling.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import toystore.gatling.result.Cell;
import toystore.gatling.result.RunFolder;

class EvaluationDocumentTest {
  private static final Path DOCUMENT = Path.of("../docs/evaluation.md");
  private static final Path STORED = Path.of("../docs/evaluation");
  private static final String RATIO = "ratio containers/bridge/1/buy containers/processes/1/buy";

  @TempDir Path folder;
  private SyntheticRuns runs;

  @BeforeEach
  void published() throws IOException {
    Files.copy(PublishedResultsTest.FILE, folder.resolve("published.csv"));
    runs = new SyntheticRuns(folder);
  }

  /// Checks the document against the stored results.
  @Test
  void evaluationDocumentMatchesTheStoredResults() throws IOException {
    assertThat(EvaluationDocument.faults(DOCUMENT, STORED)).isEmpty();
  }

  @Test
  void everyIdInTheDocumentResolvesAgainstSyntheticRuns() throws IOException {
    allRuns();
    Path copy = Files.copy(DOCUMENT, folder.resolve("evaluation.md"));
    assertThat(EvaluationDocument.fill(copy, folder)).isEmpty();
    assertThat(EvaluationDocument.faults(copy, folder)).isEmpty();
    assertThat(Files.readString(copy))
        .contains("takes longer than", "does not detectably differ from");
  }

  @Test
  void firstOverLastComparesTheRepetitionsAcrossCells() throws IOException {
    RunFolder run =
        RunFolder.create(folder.resolve("pool"), Map.of("experiment", "pool", "subjects", "a"));
    runs.noise(0).repetitions(1);
    double[] millis = {4, 2, 1};
    for (int repetition = 1; repetition <= millis.length; repetition++) {
      SyntheticRuns.add(
          run, repetition, new Cell("a", 1, "lookup"), millis[repetition - 1] * 1_000);
      SyntheticRuns.add(run, repetition, new Cell("a", 5, "lookup"), 1_000);
    }
    // (4 ÷ 7/3 + 1) ÷ (1 ÷ 7/3 + 1)
    assertThat(ReportedValueResolver.read(folder).find("first-over-last pool").text())
        .isEqualTo("1.90×");
  }

  @Test
  void numberOutsideAMarkerIsReported() throws IOException {
    assertThat(faults("It takes 3 ms, [see 4](page-5.html#6), p99 and `7` <!-- 8 -->, 1.5× and ½."))
        .containsExactly(
            "line 1: a number typed outside a marker: '3'",
            "line 1: a number typed outside a marker: '4'",
            "line 1: a number typed outside a marker: '1.5'",
            "line 1: a number typed outside a marker: '½.'");
  }

  @Test
  void directionOutsideAMarkerIsReportedAsAWholeWordOnly() throws IOException {
    assertThat(faults("A furthermore lessened\nbuy costs More."))
        .containsExactly("line 2: a direction typed outside a marker: 'More'");
  }

  @Test
  void staleFigureIsReportedWithTheStoredValue() throws IOException {
    runs.containers();
    assertThat(faults("A <!--=containers/processes/1/buy/calls-->4,999<!--/--> b"))
        .containsExactly(
            "line 1: containers/processes/1/buy/calls: the stored results say '5,000', found '4,999'");
  }

  @Test
  void directionThatTheIntervalDoesNotSupportIsReported() throws IOException {
    planted(1.0);
    String text =
        "It <!--=word "
            + RATIO
            + " : costs more ; costs less ; does not detectably differ-->costs more<!--/-->.";
    assertThat(faults(text))
        .containsExactly(
            "line 1: word "
                + RATIO
                + " : costs more ; costs less ; does not detectably differ:"
                + " the stored results say 'does not detectably differ', found 'costs more'");
  }

  @Test
  void wordIsChosenByTheVerdict() throws IOException {
    String text =
        "It <!--=word "
            + RATIO
            + " : costs more ; costs less ; does not detectably differ--><!--/-->.";
    planted(1.5);
    assertThat(filled(text)).contains("-->costs more<!--/-->");
    planted(0.5);
    assertThat(filled(text)).contains("-->costs less<!--/-->");
    planted(1.0);
    assertThat(filled(text)).contains("-->does not detectably differ<!--/-->");
    runs.repetitions(1);
    planted(1.5); // one repetition bears nothing
    assertThat(filled(text)).contains("-->does not detectably differ<!--/-->");
  }

  @Test
  void missingDataIsReportedWithWhatIsAvailable() throws IOException {
    runs.noise();
    assertThat(faults("A <!--=containers/host/1/buy/mean-->1 ms<!--/-->"))
        .containsExactly(
            "line 1: containers/host/1/buy/mean: experiment containers is not stored; available: [noise]");
    assertThat(faults("A <!--=noise/c/1/buy/mean-->1 ms<!--/-->").getFirst())
        .startsWith(
            "line 1: noise/c/1/buy/mean: noise/c/1/buy is not stored; available: [a/1/query, a/1/buy");
    assertThat(faults("A <!--=noise/a/1/buy/men-->1 ms<!--/-->"))
        .containsExactly(
            "line 1: noise/a/1/buy/men: expected a statistic such as mean or p99, found 'men'");
  }

  @Test
  void maybeRendersNotMeasuredButUnknownIdsAreReported() throws IOException {
    String text =
        "A <!--=maybe containers/host/1/buy/mean-->not measured<!--/--> <!--=word maybe "
            + RATIO
            + " : a ; b ; c-->not measured<!--/-->";
    assertThat(faults(text)).isEmpty();
    assertThat(faults("A <!--=maybe nonsense-->not measured<!--/-->")).hasSize(1);
  }

  @Test
  void brokenMarkerIsReported() throws IOException {
    runs.noise();
    assertThat(faults("<!--=noise/a/1/buy/repetitions-->5<!--/-->").getFirst())
        .contains("start of a line");
    assertThat(faults("A <!--=noise/a/1/buy/repetitions-->"))
        .containsExactly("1 opening markers, 0 closing markers");
  }

  @Test
  void largestAndSmallestResolveTheWildcard() throws IOException {
    runs.containers();
    ReportedValueResolver figures = ReportedValueResolver.read(folder);
    String family = "ratio containers/*/1/buy containers/processes/1/buy";
    assertThat(figures.find("where-largest " + family).text()).isIn("bridge", "overlay");
    assertThat(figures.find("largest " + family).value()).isBetween(1.4, 1.6);
    assertThat(figures.find("smallest " + family).value()).isBetween(0.9, 1.1);
  }

  @Test
  void operationTimesAreFoundAndCompared() throws IOException {
    runs.run("locks", "mutex", List.of(1, 2), Map.of(), SyntheticRuns::plain);
    ReportedValueResolver figures = ReportedValueResolver.read(folder);
    assertThat(figures.find("operation locks/mutex/1/query").text()).endsWith(" ns");
    ReportedValue ratio = figures.find("operations locks/mutex/1/buy locks/mutex/1/query");
    assertThat(ratio.value()).isBetween(2.9, 3.1);
    assertThat(ratio.verdict()).isEqualTo(Verdict.UP);
    assertThatThrownBy(() -> figures.find("operation locks/mutex/2/query"))
        .hasMessageContaining("an operation of locks/mutex/2/query");
  }

  @Test
  void partsOfADifferenceAddUpToTheDifference() throws IOException {
    runs.queryVsBuy();
    ReportedValueResolver figures = ReportedValueResolver.read(folder);
    String pair = "query-vs-buy/processes/1/buy query-vs-buy/processes/1/query ";
    double sum = 0;
    for (String part :
        List.of("network", "frontend", "order", "catalog", "queue", "decide", "commit")) {
      sum += figures.find("extra " + pair + part).value();
    }
    assertThat(sum).isCloseTo(figures.find("extra " + pair + "whole").value(), within(1e-3));
    assertThat(figures.find("extra-share " + pair + "commit").verdict()).isEqualTo(Verdict.UP);
    assertThat(figures.find("extra-share " + pair + "order+queue").verdict())
        .isEqualTo(Verdict.DOWN);
  }

  private void allRuns() throws IOException {
    runs.queryVsBuy();
    runs.containers();
    runs.remote();
    runs.noise();
  }

  private void planted(double ratio) throws IOException {
    runs.run(
        "containers",
        "processes bridge",
        List.of(1),
        Map.of(),
        (subject, clients, kind) -> subject.equals("bridge") ? 1_000 * ratio : 1_000);
  }

  private List<String> faults(String text) throws IOException {
    return EvaluationDocument.faults(text, ReportedValueResolver.read(folder));
  }

  private String filled(String text) throws IOException {
    return EvaluationDocument.filled(text, ReportedValueResolver.read(folder));
  }
}
