package toystore.gatling.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import javax.xml.parsers.DocumentBuilderFactory;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import toystore.gatling.result.Cell;
import toystore.gatling.result.ChartDefinition;
import toystore.gatling.result.ObservedValue;
import toystore.gatling.result.RepetitionSummary;
import toystore.gatling.result.RunFolder;

class ReportTest {
  @TempDir Path folder;
  private SyntheticRuns runs;
  private PublishedResults published;

  @BeforeEach
  void given() throws IOException {
    runs = new SyntheticRuns(folder);
    published = PublishedResults.read(PublishedResultsTest.FILE);
  }

  @Test
  void reportFindsOnlyThePlantedDifferences() throws IOException {
    String report = report(runs.containers(), runs.noise());
    assertThat(findings(report, "`bridge` against `processes`, 1 client"))
        .containsPattern(
            "`query` takes 1\\.\\d+× \\[1\\.\\d+, 1\\.\\d+] as long; `buy` takes 1\\.");
    assertThat(findings(report, "`host` against `processes`, 1 client"))
        .containsPattern("`query` no detectable difference.*; `buy` no detectable difference");
    assertThat(findings(report, "`overlay` against `bridge`")).contains("no detectable difference");
  }

  @Test
  void reportAttributesTheSlowerBuyToItsCommit() throws IOException {
    String report = report(runs.queryVsBuy(), runs.noise());
    assertThat(findings(report, "`buy` against `query` on `processes`, 1 client"))
        .containsPattern("`buy` takes (2\\.9|3\\.0)\\d× ");
    assertThat(findings(report, "Of `buy`")).contains("the largest part is commit, 40.0 %");
    assertThat(findings(report, "Of `query`")).contains("the largest part is frontend, 50.0 %");
    assertThat(findings(report, "`buy` on `processes` takes"))
        .containsPattern("the part commit has the largest share: 1\\.\\d+ ms .*, (5|6)\\d\\.\\d %");
    assertThat(findings(report, "`buy` visits"))
        .startsWith(
            "`buy` visits 3 services: the frontend, and by gRPC `catalog.Sell` (1.00 times a request)");
    assertThat(findings(report, "Whether `buy` and `query` grow differently"))
        .contains("no detectable difference");
  }

  @Test
  void reportFindsThePlantedNumberOfRoundTrips() throws IOException {
    String report = report(runs.noise(0.001).remote(), null);
    assertThat(findings(report, "`query` pays the round trip between services"))
        .containsPattern(" (1\\.0|0\\.9)\\d+ times");
    assertThat(findings(report, "`buy` pays the round trip between services"))
        .containsPattern(" (2\\.0|1\\.9)\\d+ times");
    assertThat(findings(report, "`buy` pays the round trip between client and frontend"))
        .containsPattern(" (1\\.0|0\\.9)\\d+ times");
  }

  @Test
  void reportOfOneRepetitionStatesThatNothingIsKnown() throws IOException {
    String report = report(runs.repetitions(1).containers(), null);
    assertThat(report)
        .contains("[interval unknown]")
        .contains("not known from one repetition")
        .doesNotContain("as long; `buy` takes");
  }

  @Test
  void reportShowsPublishedFiguresAndTheirGaps() throws IOException {
    PublishedResults.Row row =
        published
            .of("query-vs-buy")
            .find("remote", 1, "query", PublishedResults.MEAN)
            .orElseThrow();
    String report = report(runs.queryVsBuy(), null);
    assertThat(report)
        .contains(
            "Published: toy store.",
            row.text(),
            "not published",
            "Change with the number of clients");
  }

  @Test
  void findingsStartWithTheLimitationsOfTheRun() throws IOException {
    RunFolder run = runs.queryVsBuy();
    run.note(Map.of("quick", "true", "audit.processes", "3 orders | missing"));
    String report = report(RunFolder.read(run.folder()), null);
    assertThat(report.lines().filter(line -> line.startsWith("- **")))
        .containsExactly(
            "- **Quick run**: it shows that the experiment works; it has too few calls and repetitions for conclusions.",
            "- **The audit of `processes` did not pass**: 3 orders | missing");
  }

  @Test
  void reportOfARunWithoutSamplesStatesThatNothingWasMeasured() throws IOException {
    RunFolder run =
        RunFolder.create(folder.resolve("empty"), Map.of("experiment", "empty", "subjects", "a b"));
    assertThat(Report.write(run, published, null)).contains("Nothing was measured.");
  }

  @Test
  void reportHandlesARunWithOneSample() throws IOException {
    RunFolder run =
        RunFolder.create(folder.resolve("bare"), Map.of("experiment", "bare", "subjects", "a"));
    var cell = new Cell("a", 7, "lookup");
    var micros = new Histogram(3);
    micros.recordValue(2_000);
    var strain = new RepetitionSummary.Strain(0, Double.NaN, 0, 20_000);
    var whole = new ObservedValue(1, cell, "part.whole", 2_000, "µs");
    run.add(
        new RepetitionSummary(1, cell, 1, 2_000, 2_000, 2_000, 2_000, 2_000, 0.002, strain),
        micros,
        List.of(whole));
    assertThat(report(RunFolder.read(run.folder()), null))
        .contains(
            "| `a` | 7 | `lookup` | 1 | 1 | 2.00 | [interval unknown] | 2.00 |",
            "| — |",
            "overloaded in 1 of 1 cells")
        .doesNotContain("NaN", "Infinity");
  }

  @Test
  void summaryFitsATerminal() throws IOException {
    for (RunFolder run : List.of(runs.containers(), runs.remote(), runs.queryVsBuy())) {
      assertThat(Report.write(run, published, null).lines().count()).isBetween(10L, 40L);
    }
  }

  @Test
  void htmlReportIsSelfContained() throws Exception {
    RunFolder run = runs.containers();
    Report.write(run, published, null);
    String html = Files.readString(run.folder().resolve("report.html"));
    assertThat(html)
        .contains("<title id=\"containers-mean-buy-title\">", "&lt;planted&gt;")
        .contains("<main>", "tabindex=\"0\">\n<table>", "</table>\n</div>")
        .doesNotContain("<img", "<script", "<planted>", "src=");
    for (String chart : List.of("containers-mean-buy.svg", "containers-mean-query.svg")) {
      assertThat(Files.readString(run.folder().resolve("report.md"))).contains("](" + chart + ")");
      parsed(Files.readString(run.folder().resolve(chart)));
    }
  }

  @Test
  void runMayDefineItsCharts() throws Exception {
    var both = new ChartDefinition("both", "Both", List.of("processes/query", "processes/buy"));
    var absent = new ChartDefinition("absent", "Absent", List.of("elsewhere/query"));
    RunFolder run =
        new SyntheticRuns(folder)
            .run(
                "query-vs-buy",
                "processes host",
                List.of(1, 2),
                ChartDefinition.about(List.of(both, absent)),
                (subject, clients, kind) -> 1_000);
    Report.write(run, published, null);

    assertThat(ChartDefinition.of(run)).containsExactly(both, absent);
    assertThat(Files.readString(run.folder().resolve("report.md")))
        .containsOnlyOnce("![")
        .contains("![Both](query-vs-buy-both.svg)");
    assertThat(Files.readString(run.folder().resolve("query-vs-buy-both.svg")))
        .contains("processes, query", "processes, buy")
        .doesNotContain("host");
  }

  @Test
  void indexContainsAllReports() throws IOException {
    List<RunFolder> all = List.of(runs.containers(), runs.remote());
    for (RunFolder run : all) {
      Report.write(run, published, null);
    }
    Report.writeIndex(folder, all);
    String index = Files.readString(folder.resolve("index.html"));
    assertThat(index)
        .contains("<main>", "<details>", "remote-distance-client-title", "Findings")
        .contains("href=\"#containers\"", "<section id=\"containers\">");
    for (var link : Pattern.compile("href=\"([^\"]*)\"").matcher(index).results().toList()) {
      assertThat(index)
          .as("place of the link")
          .contains("id=\"" + link.group(1).substring(1) + "\"");
    }
  }

  @Test
  void compareMatchesRunsCellByCell() throws IOException {
    RunFolder first = runs.queryVsBuy();
    RunFolder second =
        new SyntheticRuns(folder.resolve("second"))
            .run(
                "query-vs-buy",
                "processes",
                List.of(1),
                Map.of(),
                (subject, clients, kind) -> kind.equals("buy") ? 9_000 : 1_000);
    String text = RunComparison.text(first, second, null);
    assertThat(
            text.lines()
                .filter(line -> line.startsWith("processes/1/buy"))
                .findFirst()
                .orElseThrow())
        .containsPattern("[23]\\.\\d+× \\[.*] +longer$");
    assertThat(
            text.lines()
                .filter(line -> line.startsWith("processes/1/query"))
                .findFirst()
                .orElseThrow())
        .endsWith("no detectable difference");
    assertThat(text).doesNotContain("processes/5/buy");
  }

  private String report(RunFolder run, @Nullable RunFolder noise) throws IOException {
    Report.write(run, published, noise);
    return Files.readString(run.folder().resolve("report.md"));
  }

  private static String findings(String report, String beginning) {
    return report
        .lines()
        .filter(line -> line.startsWith("- " + beginning))
        .map(line -> line.substring(2))
        .findFirst()
        .orElseThrow(() -> new AssertionError("no finding begins '" + beginning + "':\n" + report));
  }

  private static void parsed(String svg) throws Exception {
    DocumentBuilderFactory.newDefaultInstance()
        .newDocumentBuilder()
        .parse(new ByteArrayInputStream(svg.getBytes(StandardCharsets.UTF_8)));
  }
}
