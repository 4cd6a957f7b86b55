package toystore.lab.report;

import static toystore.common.RootLocale.format;
import static toystore.lab.report.MarkdownTable.percent;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import toystore.lab.chart.Chart;
import toystore.lab.load.CellRow;
import toystore.lab.load.JsonFile;
import toystore.lab.run.BlockRow;
import toystore.lab.run.ExperimentPlan.PlannedContrast;
import toystore.lab.run.StoredRun;

/// The figures of a stored run by the placeholders of [ReportTemplate]s:
///
/// | placeholder | figure |
/// |---|---|
/// | `answer` | the answer in a sentence |
/// | `table NAME` | a table, see [RunTables] |
/// | `chart NAME` | a chart, see [RunCharts] |
/// | `contrast N` | its N-th planned contrast, from 1 |
/// | `list facts` | its conditions |
/// | `title`, `question`, `size` | of the run |
public record RunReport(
    Path folder, RunAnalysis run, Map<String, String> about, PublishedLatencies published) {

  /// @param folder of a stored run, complete or not
  /// @param published of all experiments
  static RunReport read(Path folder, PublishedLatencies published) throws IOException {
    StoredRun run = StoredRun.read(folder);
    var analysis = new RunAnalysis(run.plan(), run.rows());
    return new RunReport(folder, analysis, run.about(), published.of(analysis.plan().published()));
  }

  /// Writes the page of a run beside its rows.
  ///
  /// @param folder of a stored run, complete or not
  /// @param published published.csv; may be missing
  /// @return the page
  public static Path writePage(Path folder, Path published) throws IOException {
    PublishedLatencies latencies =
        Files.exists(published) ? PublishedLatencies.read(published) : PublishedLatencies.NONE;
    return Files.writeString(folder.resolve("report.html"), read(folder, latencies).page());
  }

  /// Writes `index.html`: the question and the answer of each run of a folder, with its page.
  public static Path writeIndex(Path folder) throws IOException {
    var reports = new ArrayList<RunReport>();
    for (Path run : StoredRun.folders(folder)) {
      reports.add(read(run, PublishedLatencies.NONE));
    }
    String table =
        new MarkdownTable<RunReport>()
            .text("experiment", RunReport::link)
            .text("question", it -> it.run.plan().question())
            .text("answer", it -> new RunAnswer(it.run).sentence())
            .of(reports);
    String markdown = ReportTemplate.resource("index.md").fill(_ -> table);
    return Files.writeString(folder.resolve("index.html"), HtmlFrame.page("Evaluation", markdown));
  }

  private String link() {
    return "[" + run.plan().title() + "](" + folder.getFileName() + "/report.html)";
  }

  private String page() {
    String markdown =
        ReportTemplate.resource("experiment.md").fill(it -> figure(it, RunReport::html));
    return HtmlFrame.page(run.plan().title(), markdown);
  }

  static String html(Chart chart) {
    return chart.html().replaceAll("\n\\s*\n", "\n").strip(); // an empty line would end it
  }

  /// @param words of the placeholder
  /// @param picture how a chart is shown
  String figure(List<String> words, Function<Chart, String> picture) {
    return switch (words.getFirst()) {
      case "title" -> run.plan().title();
      case "question" -> run.plan().question();
      case "answer" -> new RunAnswer(run).sentence();
      case "contrast" ->
          contrast(run.plan().contrasts().get(Integer.parseInt(words.getLast()) - 1));
      case "size" -> size();
      case "table" -> new RunTables(run, published).table(words.getLast());
      case "chart" -> new RunCharts(run, published).chart(words.getLast()).map(picture).orElse("");
      case "list" -> facts();
      default -> throw new IllegalArgumentException("unknown placeholder " + words);
    };
  }

  private String contrast(PlannedContrast contrast) {
    return run.contrasts().contains(contrast)
        ? contrast.name() + ": " + run.ratio(contrast).timesAsLong()
        : contrast.name() + ": not measured";
  }

  private String size() {
    List<CellRow> cells = run.rows().stream().map(BlockRow::cell).toList();
    long errors = cells.stream().mapToLong(CellRow::errors).sum();
    return format(
            "%s%d of %d blocks with %d starts; %,d calls, of which %,d failed.",
            run.isComplete() ? "" : "Incomplete: ",
            run.blocks(),
            run.plan().blocks(),
            run.rows().stream().map(it -> List.of(it.block(), it.start())).distinct().count(),
            cells.stream().mapToLong(CellRow::count).sum() + errors,
            errors)
        + cells.stream()
            .map(it -> it.firstError())
            .filter(it -> it != null)
            .findFirst()
            .map(it -> " The first failure: `" + it.replace('`', '\'') + "`.")
            .orElse("");
  }

  private String facts() {
    var facts = new LinkedHashMap<>(about);
    JsonFile.MAPPER.valueToTree(run.plan()).properties().stream()
        .filter(it -> it.getValue().isNumber())
        .forEach(it -> facts.put(it.getKey(), it.getValue().asText()));
    var steal =
        run.rows().stream().mapToDouble(it -> it.cell().cost().stealShare()).summaryStatistics();
    if (steal.getMax() > 0) {
      facts.put(
          "CPU time stolen by other virtual machines",
          percent(steal.getAverage()) + ", at most " + percent(steal.getMax()) + " in a cell");
    }
    return facts.entrySet().stream()
        .map(it -> "- " + it.getKey() + ": `" + it.getValue().replace('`', '\'') + "`")
        .collect(Collectors.joining("\n"));
  }
}
