package toystore.lab.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import toystore.lab.run.ExperimentPlan;
import toystore.lab.run.Experiments;

@Tag("long")
class EvaluationTest {
  private static final Path DOCS = Path.of("../../docs");
  private static final Path PUBLISHED = DOCS.resolve("evaluation/published.csv");

  private static final String ONE_SUBJECT =
      """
      {"name": "own", "title": "Own", "question": "?", "subjects": ["target"],
       "kinds": ["query", "buy"], "clients": [1, 5], "warmUpSeconds": 1, "blocks": 6}
      """;

  @TempDir Path folder;

  @Test
  void publishedTextsAndPicturesAreThoseOfThePublishedTables() throws IOException {
    for (Map.Entry<Path, String> text : new Evaluation(DOCS).texts().entrySet()) {
      assertThat(text.getKey())
          .as("%s; ./toystore lab evaluation writes it again", text.getKey())
          .content()
          .isEqualTo(text.getValue());
    }
  }

  /// The table of a run says what its blocks say.
  @Test
  void publishedTextsAreThoseOfTheMeasuredRows() throws IOException {
    Path docs = folder.resolve("docs");
    Files.createDirectories(docs.resolve("evaluation"));
    Files.copy(PUBLISHED, docs.resolve("evaluation/published.csv"));
    ExperimentPlan plan = Experiments.plan("query-vs-buy");
    Path run =
        new SyntheticRun(plan, plan.blocks(), 3, 1.04, 0.9).store(folder.resolve(plan.name()));
    new Evaluation(docs).publish(folder);

    RunReport measured = RunReport.read(run, PublishedLatencies.NONE);
    RunReport published =
        RunReport.read(docs.resolve("evaluation").resolve(plan.name()), PublishedLatencies.NONE);
    for (String name :
        List.of("contrasts", "cells", "drift", "open", "cold", "times", "switches", "hits")) {
      assertThat(published.figure(List.of("table", name), RunReport::html))
          .isNotEmpty()
          .isEqualTo(measured.figure(List.of("table", name), RunReport::html));
    }
    for (String name : List.of("ratios", "starts", "distributions", "throughput", "open")) {
      assertThat(published.figure(List.of("chart", name), RunReport::html)).isNotEmpty();
    }
  }

  @Test
  void publishesCompleteRuns() throws IOException {
    Path docs = folder.resolve("docs");
    Files.createDirectories(docs.resolve("evaluation"));
    Files.copy(PUBLISHED, docs.resolve("evaluation/published.csv"));
    ExperimentPlan cores = Experiments.plan("cores");
    SyntheticRun.of(Experiments.plan("query-vs-buy")).store(folder.resolve("query-vs-buy"));
    new SyntheticRun(cores, 1, 3, 1, 1).store(folder.resolve("cores"));

    assertThat(new Evaluation(docs).publish(folder)).containsExactly("query-vs-buy");
    assertThat(docs.resolve("evaluation.md"))
        .content()
        .contains("**With one client, a buy takes 3.0", "| Not run yet. |")
        .contains("](evaluation/query-vs-buy/query-vs-buy-ratios.svg)")
        .doesNotContain("{{", "<!--", "## Drift\n\n\n");
    assertThat(docs.resolve("evaluation/query-vs-buy"))
        .isDirectoryContaining("glob:**/query-vs-buy-ratios.svg")
        .isDirectoryContaining("glob:**/results.csv");
    new Evaluation(docs).publish(folder.resolve("none")); // from the published rows
    assertThat(new Evaluation(docs).texts())
        .allSatisfy((file, text) -> assertThat(file).content().isEqualTo(text));
  }

  @Test
  void pageHasASectionForEveryFigureOfACompleteRun() throws IOException {
    Path run = SyntheticRun.of(Experiments.plan("query-vs-buy")).store(folder);
    assertThat(headings(RunReport.writePage(run, PUBLISHED))).containsExactlyElementsOf(headings());
    assertThat(run.resolve("report.html"))
        .content()
        .contains("<td align=\"right\">overloaded</td>")
        .contains("published, local, ms", "p99.9, ms");
  }

  @Test
  void pageLeavesOutWhatARunDoesNotHave() throws IOException {
    ExperimentPlan plan = ExperimentPlan.parse(ONE_SUBJECT, "test");
    Path run = new SyntheticRun(plan, 1, 3, 1, 1).store(folder);
    assertThat(headings(RunReport.writePage(run, folder.resolve("missing.csv"))))
        .doesNotContain("Planned contrasts", "Open loop", "The published pass")
        .contains("Drift", "Two starts of the same store (A/A)");
    assertThat(run.resolve("report.html")).content().contains("Incomplete: 1 of ");
  }

  @Test
  void pageOfARunWithoutBlocksSaysSo() throws IOException {
    Path run = new SyntheticRun(Experiments.plan("query-vs-buy"), 0, 3, 1, 1).store(folder);
    assertThat(headings(RunReport.writePage(run, PUBLISHED)))
        .containsExactly(
            "The published pass", "Limits and threats to validity", "Conditions", "Raw data");
    assertThat(run.resolve("report.html")).content().contains("Not measured yet.");
  }

  private static List<String> headings(Path page) throws IOException {
    return Files.readAllLines(page).stream()
        .filter(it -> it.startsWith("<h2>"))
        .map(it -> it.replaceAll("<[^>]*>", ""))
        .toList();
  }

  private static List<String> headings() {
    return ReportTemplate.resource("experiment.md")
        .text()
        .lines()
        .filter(it -> it.startsWith("## "))
        .map(it -> it.substring(3))
        .toList();
  }
}
