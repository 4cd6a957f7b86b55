package toystore.lab.report;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import toystore.lab.chart.Chart;
import toystore.lab.chart.ChartLayout;
import toystore.lab.run.Experiments;
import toystore.lab.run.StoredRun;

/// The published results: `docs/evaluation.md`, and beside it in `docs/evaluation` the index and,
/// for each run, its rows, its page and the pictures of `evaluation.md`. All texts are generated
/// from the rows.
///
/// @param docs the folder docs
public record Evaluation(Path docs) {
  private static final String NOT_RUN = "Not run yet.";

  private Path folder() {
    return docs.resolve("evaluation");
  }

  /// Replaces published runs by newer ones that are complete, and writes all texts.
  ///
  /// @param results folder of results
  /// @return the names of the published runs
  public List<String> publish(Path results) throws IOException {
    var names = Experiments.NAMES.stream().filter(it -> isComplete(results.resolve(it))).toList();
    for (String name : names) {
      delete(folder().resolve(name));
      StoredRun.read(results.resolve(name)).publish(folder().resolve(name));
    }
    for (Map.Entry<Path, String> text : texts().entrySet()) {
      Files.writeString(text.getKey(), text.getValue());
    }
    return names;
  }

  private static boolean isComplete(Path folder) {
    try {
      return Files.exists(folder.resolve("plan.json"))
          && RunReport.read(folder, PublishedLatencies.NONE).run().isComplete();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void delete(Path folder) throws IOException {
    if (Files.exists(folder)) {
      try (Stream<Path> files = Files.walk(folder)) {
        for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
          Files.delete(file);
        }
      }
    }
  }

  /// All generated texts by their files.
  Map<Path, String> texts() throws IOException {
    var published = PublishedLatencies.read(folder().resolve("published.csv"));
    var runs = new TreeMap<String, RunReport>();
    var texts = new TreeMap<Path, String>();
    for (String name : Experiments.NAMES) {
      Path run = folder().resolve(name);
      if (Files.exists(run.resolve("plan.json"))) {
        runs.put(name, RunReport.read(run, published));
        texts.put(run.resolve("report.html"), runs.get(name).page());
      }
    }
    String document =
        ReportTemplate.resource("evaluation.md").fill(words -> figure(words, runs, texts));
    texts.put(docs.resolve("evaluation.md"), document);
    texts.put(folder().resolve("index.html"), EvaluationIndex.page(folder()));
    return texts;
  }

  /// @param words the second is the name of the run
  /// @param texts receives the pictures
  private String figure(List<String> words, Map<String, RunReport> runs, Map<Path, String> texts) {
    String name = words.get(1);
    RunReport run = runs.get(name);
    if (run == null) {
      return words.getFirst().equals("answer") ? NOT_RUN : "";
    }
    return run.figure(
        words,
        chart -> {
          texts.put(
              folder().resolve(name).resolve(chart.name() + ".svg"), chart.file(ChartLayout.WIDE));
          return picture(name, chart);
        });
  }

  private static String picture(String run, Chart chart) {
    return "![%s: %s](evaluation/%s/%s.svg)"
        .formatted(chart.title(), chart.description(), run, chart.name());
  }
}
