package toystore.lab.report;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/// The index of a folder of runs: a card for each, with its question, its answer and a small chart.
public final class EvaluationIndex {
  private static final Pattern TITLE = Pattern.compile("<title>([^<]*)</title>");

  private EvaluationIndex() {}

  /// Writes `index.html`.
  ///
  /// @param folder of folders of runs; those without a plan were measured with the earlier method
  public static Path write(Path folder) throws IOException {
    return Files.writeString(folder.resolve("index.html"), page(folder));
  }

  static String page(Path folder) throws IOException {
    var cards = new StringBuilder();
    var earlier = new StringBuilder();
    for (Path run : folders(folder)) {
      if (Files.exists(run.resolve("plan.json"))) {
        cards.append(card(run));
      } else if (Files.exists(run.resolve("report.html"))) {
        Matcher title = TITLE.matcher(Files.readString(run.resolve("report.html")));
        String name = title.find() ? title.group(1) : run.getFileName().toString();
        earlier.append(card(run, name, "<p>Measured with the earlier method.</p>"));
      }
    }
    String markdown =
        ReportTemplate.resource("index.md")
            .fill(words -> (words.getLast().equals("answers") ? cards : earlier).toString());
    return HtmlFrame.page("Evaluation", markdown);
  }

  private static List<Path> folders(Path folder) throws IOException {
    try (Stream<Path> all = Files.list(folder)) {
      return all.filter(Files::isDirectory).sorted().toList();
    }
  }

  private static String card(Path folder) throws IOException {
    RunReport report = RunReport.read(folder, PublishedLatencies.NONE);
    String content =
        "<p>%s</p>\n<p class=\"answer\">%s</p>\n%s"
            .formatted(
                HtmlFrame.escaped(report.run().plan().question()),
                HtmlFrame.escaped(new RunAnswer(report.run()).sentence().replace("`", "")),
                report.figure(List.of("chart", "card"), RunReport::html));
    return card(folder, HtmlFrame.escaped(report.run().plan().title()), content);
  }

  private static String card(Path folder, String title, String content) {
    return """
    <article>
    <h3><a href="%s/report.html">%s</a></h3>
    %s
    </article>
    """
        .formatted(folder.getFileName(), title, content);
  }
}
