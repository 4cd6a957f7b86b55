package toystore.gatling;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import toystore.gatling.result.Run;

/// The folder of the lab's runs, one folder per run: `gatling/target/results`. Runs can be
/// repeated, so they are in a folder that git ignores and `clean` deletes.
record RunFolders(Path folder) {
  static RunFolders of(Path home) {
    return new RunFolders(home.resolve("gatling/target/results"));
  }

  /// The finished runs of an experiment, newest first.
  List<Run> finished(String experiment) throws IOException {
    return all().stream()
        .filter(run -> run.isFinished() && run.about("experiment").equals(experiment))
        .toList();
  }

  /// The newest finished run of each experiment.
  List<Run> newest() throws IOException {
    var newest = new LinkedHashMap<String, Run>();
    for (Run run : all()) {
      if (run.isFinished()) {
        newest.putIfAbsent(run.about("experiment"), run);
      }
    }
    return List.copyOf(newest.values());
  }

  /// The newest full noise run, which gives the resolution of this machine; a quick one if there is
  /// no full one.
  Optional<Run> noise() throws IOException {
    return finished("noise").stream()
        .min(Comparator.comparing((Run run) -> run.about("quick").equals("true")));
  }

  /// The newest interrupted run that can be resumed: same experiment, settings and commit.
  Optional<Run> interrupted(String key) throws IOException {
    return all().stream()
        .filter(run -> !run.isFinished() && run.about("failed").isEmpty())
        .filter(run -> run.about("key").equals(key))
        .findFirst();
  }

  private List<Run> all() throws IOException {
    if (!Files.isDirectory(folder)) {
      return List.of();
    }
    var runs = new ArrayList<Run>();
    try (var folders = Files.list(folder)) {
      for (Path it : folders.filter(Run::isAt).toList()) {
        runs.add(Run.read(it));
      }
    }
    runs.sort(Comparator.comparing((Run run) -> run.about("started")).reversed());
    return runs;
  }
}
