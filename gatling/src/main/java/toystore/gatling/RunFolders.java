package toystore.gatling;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import toystore.gatling.result.RunFolder;

/// The folder of the lab's runs, one folder per run: `gatling/target/results`. Runs can be
/// repeated, so they are in a folder that git ignores and `clean` deletes.
record RunFolders(Path folder) {
  static RunFolders of(Path home) {
    return new RunFolders(home.resolve("gatling/target/results"));
  }

  /// The finished runs of an experiment, newest first.
  List<RunFolder> finished(String experiment) throws IOException {
    return all().stream()
        .filter(run -> run.isFinished() && run.about("experiment").equals(experiment))
        .toList();
  }

  /// The newest finished run of each experiment.
  List<RunFolder> newest() throws IOException {
    var newest = new LinkedHashMap<String, RunFolder>();
    for (RunFolder run : all()) {
      if (run.isFinished()) {
        newest.putIfAbsent(run.about("experiment"), run);
      }
    }
    return List.copyOf(newest.values());
  }

  /// The newest full noise run, which gives the resolution of this machine; a quick one if there is
  /// no full one.
  Optional<RunFolder> noise() throws IOException {
    return finished("noise").stream()
        .min(Comparator.comparing((RunFolder run) -> run.about("quick").equals("true")));
  }

  /// The newest interrupted run that can be resumed: same experiment, settings and commit.
  Optional<RunFolder> interrupted(String key) throws IOException {
    return all().stream()
        .filter(run -> !run.isFinished() && run.about("failed").isEmpty())
        .filter(run -> run.about("key").equals(key))
        .findFirst();
  }

  private List<RunFolder> all() throws IOException {
    if (!Files.isDirectory(folder)) {
      return List.of();
    }
    var runs = new ArrayList<RunFolder>();
    try (var folders = Files.list(folder)) {
      for (Path it : folders.filter(RunFolder::isAt).toList()) {
        runs.add(RunFolder.read(it));
      }
    }
    runs.sort(Comparator.comparing((RunFolder run) -> run.about("started")).reversed());
    return runs;
  }
}
