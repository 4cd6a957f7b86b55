package toystore.lab.report;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/// The index of a folder of runs: a card for each, with its question, its answer and a small chart.
public final class EvaluationIndex {
  private EvaluationIndex() {}

  /// Writes `index.html`.
  ///
  /// @param folder of folders of runs; others are left out
  public static Path write(Path folder) throws IOException {
    return Files.writeString(folder.resolve("index.html"), page(folder));
  }

  static String page(Path folder) throws IOException {
    var cards = new StringBuilder();
    for (Path run : runs(folder)) {
      cards.append(card(run));
    }
    String markdown = ReportTemplate.resource("index.md").fill(_ -> cards.toString());
    return HtmlFrame.page("Evaluation", markdown);
  }

  private static List<Path> runs(Path folder) throws IOException {
    try (Stream<Path> all = Files.list(folder)) {
      return all.filter(it -> Files.exists(it.resolve("plan.json"))).sorted().toList();
    }
  }

  private static String card(Path folder) throws IOException {
    RunReport report = RunReport.read(folder, PublishedLatencies.NONE);
    return String.format(
        Locale.ROOT,
        """
        <article>
        <h3><a href="%s/report.html">%s</a></h3>
        <p>%s</p>
        <p class="answer">%s</p>
        %s
        </article>
        """,
        folder.getFileName(),
        HtmlFrame.escaped(report.run().plan().title()),
        HtmlFrame.escaped(report.run().plan().question()),
        HtmlFrame.escaped(new RunAnswer(report.run()).sentence().replace("`", "")),
        report.figure(List.of("chart", "card"), RunReport::html));
  }
}
