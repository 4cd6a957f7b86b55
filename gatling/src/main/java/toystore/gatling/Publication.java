package toystore.gatling;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import toystore.gatling.report.EvaluationDocument;
import toystore.gatling.report.PublishedResults;
import toystore.gatling.report.Report;
import toystore.gatling.result.RunFolder;

/// Copies runs to docs/evaluation, where they are under version control, and their figures to
/// docs/evaluation.md.
final class Publication {
  private static final List<String> FILES =
      List.of("about.properties", "samples.csv", "observations.csv", "samples.hlog");

  private final Path document;
  private final Path folder;
  private final RunFolders runs;

  Publication(Path home, RunFolders runs) {
    this.document = home.resolve("docs/evaluation.md");
    this.folder = home.resolve("docs/evaluation");
    this.runs = runs;
  }

  /// Copies the newest full run of each experiment. Experiments without one keep their stored run.
  ///
  /// @return the errors in the document, one line each
  List<String> publish(Set<String> experiments) throws IOException {
    for (String experiment : experiments) {
      var full =
          runs.finished(experiment).stream()
              .filter(run -> run.about("quick").equals("false") && run.about("placement").isEmpty())
              .findFirst();
      if (full.isPresent()) {
        copy(full.get().folder(), folder.resolve(experiment));
      }
    }
    Path noise = folder.resolve("noise");
    RunFolder resolution = RunFolder.isAt(noise) ? RunFolder.read(noise) : null;
    var drawn = new ArrayList<RunFolder>();
    for (String experiment : experiments) {
      Path stored = folder.resolve(experiment);
      if (RunFolder.isAt(stored)) {
        RunFolder run = RunFolder.read(stored);
        Report.write(run, PublishedResults.read(folder.resolve("published.csv")), resolution);
        drawn.add(run);
      }
    }
    Report.writeIndex(folder, drawn);
    return EvaluationDocument.fill(document, folder);
  }

  private static void copy(Path from, Path to) throws IOException {
    Files.createDirectories(to);
    for (String file : FILES) {
      Files.copy(from.resolve(file), to.resolve(file), StandardCopyOption.REPLACE_EXISTING);
    }
  }
}
