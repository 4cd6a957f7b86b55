package toystore.lab;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;
import toystore.lab.run.ExperimentPlan;
import toystore.lab.run.Experiments;
import toystore.lab.run.Subject;
import toystore.lab.run.TargetSubject;

/// Options that name a store that is already running.
final class TargetOptions {
  @Option(
      names = "--target",
      paramLabel = "URL",
      description = "Measure the store at this URL instead of starting one.")
  private @Nullable URI target;

  @Option(
      names = "--pid",
      paramLabel = "SERVICE=PID",
      description = "With --target: measure the CPU time of this process. Repeatable.")
  private Map<String, Long> pids = new TreeMap<>();

  boolean isGiven() {
    return target != null;
  }

  /// @param home the project folder
  Subject subject(String name, Path home) throws IOException {
    return target == null ? Experiments.subject(name, home) : new TargetSubject(name, target, pids);
  }

  /// @param against the project folder of the subject `before`; null: this one
  /// @throws IOException if the plan has a subject that is not known, or that is not the target
  List<Subject> subjects(ExperimentPlan plan, @Nullable Path against) throws IOException {
    if (target != null && plan.subjects().size() != 1) {
      throw new IOException(
          plan.name() + ": subjects: expected one with --target, got " + plan.subjects());
    }
    var subjects = new ArrayList<Subject>();
    for (String name : plan.subjects()) {
      Path home = against != null && name.equals("before") ? against : Path.of("");
      subjects.add(subject(name, home.toAbsolutePath().normalize()));
    }
    return subjects;
  }
}
