package toystore.gatling.report;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import toystore.gatling.result.RunFolder;

/// Several reports in one page, because a frontend serves only this file.
record CombinedReport(List<RunFolder> runs) {
  private static final int FINDINGS = 5;

  String html() throws IOException {
    var page =
        new StringBuilder(new HtmlPage(Map.of()).body("# Evaluation lab\n\n" + table().markdown()));
    for (RunFolder run : runs) {
      page.append("<section id=\"%s\">\n%s</section>\n".formatted(id(run), section(run)));
    }
    return HtmlPage.of("Evaluation lab", page.toString());
  }

  private TextTable table() {
    var rows = new ArrayList<List<String>>();
    for (RunFolder run : runs) {
      String kind = run.about("quick").equals("true") ? "quick" : "full";
      rows.add(
          List.of(
              "[%s](<#%s>)".formatted(Phrases.literal(new RunHeader(run).title()), id(run)),
              Phrases.literal(run.about("question")),
              Phrases.literal(run.about("started")),
              run.isFinished() ? kind : kind + ", not finished"));
    }
    return new TextTable(4, List.of("experiment", "question", "when", "run"), rows);
  }

  /// Links lead to a place in this page: the other files are not served.
  private static String id(RunFolder run) {
    return HtmlPage.escaped(run.folder().toAbsolutePath().getFileName().toString());
  }

  private String section(RunFolder run) throws IOException {
    List<String> findings = Report.findings(run, noise());
    String some =
        "- " + String.join("\n- ", findings.subList(0, Math.min(FINDINGS, findings.size())));
    String head =
        new HtmlPage(Map.of())
            .body("## %s\n\n%s\n".formatted(Phrases.literal(new RunHeader(run).title()), some));
    Path report = run.folder().resolve("report.md");
    return Files.exists(report)
        ? head
            + "<details><summary>The whole report</summary>\n%s</details>\n"
                .formatted(new HtmlPage(charts(run)).body(Files.readString(report)))
        : head;
  }

  private @Nullable RunFolder noise() {
    return runs.stream()
        .filter(run -> run.about("experiment").equals("noise"))
        .findFirst()
        .orElse(null);
  }

  private static Map<String, String> charts(RunFolder run) throws IOException {
    var charts = new HashMap<String, String>();
    try (var files = Files.newDirectoryStream(run.folder(), "*.svg")) {
      for (Path file : files) {
        charts.put(file.getFileName().toString(), Files.readString(file));
      }
    }
    return charts;
  }
}
