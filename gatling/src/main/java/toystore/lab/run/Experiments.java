package toystore.lab.run;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/// The experiments and the subjects that they measure. An experiment is a file in the resource
/// folder `experiments`, or a file of the user.
public final class Experiments {
  public static final List<String> NAMES = List.of("query-vs-buy", "mix", "noise");

  private static final int PORT = 9_700;

  private final Map<String, Subject> subjects = new TreeMap<>();

  /// @param home the project folder
  public Experiments(Path home) {
    add(new LauncherSubject("processes", "A process for each service.", home, PORT, List.of()));
    add(
        new LauncherSubject(
            "together", "All services in one JVM.", home, PORT, List.of("--together")));
  }

  private void add(Subject subject) {
    subjects.put(subject.name(), subject);
  }

  /// @param name one of [#NAMES], or a file that ends with `.json`
  /// @throws IOException if there is no such experiment, or with the mistake in its file
  public static ExperimentPlan plan(String name) throws IOException {
    if (name.endsWith(".json")) {
      return ExperimentPlan.parse(Files.readString(Path.of(name)));
    }
    try (InputStream file =
        Experiments.class.getResourceAsStream("/toystore/lab/experiments/" + name + ".json")) {
      if (file == null) {
        throw new IOException("unknown experiment %s; expected one of %s".formatted(name, NAMES));
      }
      return ExperimentPlan.parse(new String(file.readAllBytes(), StandardCharsets.UTF_8));
    }
  }

  /// The subjects of a plan.
  ///
  /// @throws IOException if one is unknown
  public List<Subject> subjects(ExperimentPlan plan) throws IOException {
    for (String name : plan.subjects()) {
      if (!subjects.containsKey(name)) {
        throw new IOException(
            "%s: unknown subject %s; expected one of %s"
                .formatted(plan.name(), name, subjects.keySet()));
      }
    }
    return plan.subjects().stream().map(subjects::get).toList();
  }
}
