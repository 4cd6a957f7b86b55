package toystore.lab.report;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.commons.io.FileUtils;
import toystore.lab.chart.ChartLayout;
import toystore.lab.run.Experiments;
import toystore.lab.run.FailureRun;
import toystore.lab.run.StoredRun;

/// The published results: `docs/evaluation.md`, and in `docs/evaluation` the other texts and, for
/// each run, its plan, its conditions, its results as a [toystore.lab.run.ResultsTable] and the
/// pictures of `evaluation.md`. All texts are generated from these tables.
///
/// @param docs the folder docs
public record Evaluation(Path docs) {
  private Path folder() {
    return docs.resolve("evaluation");
  }

  /// Replaces published runs by newer ones that are complete, and writes all texts.
  ///
  /// @param results folder of results
  /// @return the names of the published runs
  public List<String> publish(Path results) throws IOException {
    var names = new ArrayList<String>();
    for (String name : Experiments.NAMES) {
      Path run = results.resolve(name);
      if (Files.exists(run.resolve("plan.json"))) {
        RunAnalysis measured = RunReport.read(run, PublishedLatencies.NONE).run();
        if (measured.isComplete()) {
          FileUtils.deleteDirectory(folder().resolve(name).toFile());
          StoredRun.read(run)
              .publish(folder().resolve(name), new PublishedRows(measured, isShown(name)).rows());
          names.add(name);
        }
      }
    }
    if (FailureReport.read(results.resolve(FailureRun.NAME)).isComplete()) {
      FailureReport.publish(results.resolve(FailureRun.NAME), folder().resolve(FailureRun.NAME));
      names.add(FailureRun.NAME);
    }
    for (Map.Entry<Path, String> text : texts().entrySet()) {
      Files.writeString(text.getKey(), text.getValue());
    }
    return names;
  }

  /// Whether `evaluation.md` has tables or charts of a run.
  private static boolean isShown(String name) {
    String text = ReportTemplate.resource("evaluation.md").text();
    return text.contains("{{table " + name + " ") || text.contains("{{chart " + name + " ");
  }

  /// All generated texts by their files.
  Map<Path, String> texts() throws IOException {
    var published = PublishedLatencies.read(folder().resolve("published.csv"));
    var runs = new TreeMap<String, RunReport>();
    var texts = new TreeMap<Path, String>();
    for (Path run : StoredRun.folders(folder())) {
      runs.put(run.getFileName().toString(), RunReport.read(run, published));
    }
    var failures = FailureReport.read(folder().resolve(FailureRun.NAME));
    for (Path file :
        List.of(
            docs.resolve("evaluation.md"),
            folder().resolve("claims.md"),
            folder().resolve("failures.md"))) {
      ReportTemplate template = ReportTemplate.resource(file.getFileName().toString());
      texts.put(
          file,
          template.fill(it ->
              it.get(1).equals(FailureRun.NAME)
                  ? failures.figure(it)
                  : figure(it, runs, file, texts)));
    }
    return texts;
  }

  /// @param words the second is the name of the run
  /// @param text the file in which the figure is
  /// @param texts receives the pictures
  private String figure(
      List<String> words, Map<String, RunReport> runs, Path text, Map<Path, String> texts) {
    RunReport run = runs.get(words.get(1));
    if (run == null) {
      return switch (words.getFirst()) {
        case "answer" -> "Not run yet.";
        case "contrast", "results" -> "not run yet";
        default -> "";
      };
    }
    if (words.getFirst().equals("results")) {
      Path table = folder().resolve(words.get(1)).resolve("results.csv");
      return "[results](" + text.resolveSibling("").relativize(table) + ")";
    }
    return run.figure(
        words,
        chart -> {
          String file = "evaluation/" + words.get(1) + "/" + chart.name() + ".svg";
          texts.put(docs.resolve(file), chart.file(ChartLayout.WIDE));
          return "![" + chart.title() + ": " + chart.description() + "](" + file + ")";
        });
  }
}
