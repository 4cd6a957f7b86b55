package toystore.lab;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import toystore.clients.Project;

/// The analysis of results: programs in Python (`tools/lab/analysis`), which read and write the
/// files of runs.
final class Analysis {
  private static final Path PROGRAMS = Path.of("tools/lab/analysis");

  private Analysis() {}

  /// @return why it cannot run here; empty if it can
  private static String missing() {
    try {
      return missing(Project.run(List.of("python3", "--version")));
    } catch (IOException _) {
      return "found no python3 on the PATH";
    }
  }

  /// @param version as `Python 3.11.7`
  static String missing(String version) {
    return version.matches("Python 3\\.(9|[1-9]\\d+)\\b.*") ? "" : "found " + version;
  }

  /// @throws IOException if it cannot run here
  static void require() throws IOException {
    String missing = missing();
    if (!missing.isEmpty()) {
      throw new IOException("tables and pages are made by python3 >= 3.9; " + missing);
    }
  }

  /// Runs a command of the analysis, which prints to the output of this program.
  ///
  /// @return its exit code
  /// @throws IOException if it cannot run here
  static int run(String... arguments) throws IOException, InterruptedException {
    require();
    return start(arguments);
  }

  private static int start(String... arguments) throws IOException, InterruptedException {
    var command = new ArrayList<>(List.of("python3", PROGRAMS.toString()));
    command.addAll(List.of(arguments));
    return new ProcessBuilder(command).inheritIO().start().waitFor();
  }

  /// Writes the report of a run that was measured, if it can run here.
  ///
  /// @return the exit code
  static int report(Path folder) throws IOException, InterruptedException {
    String missing = missing();
    if (missing.isEmpty()) {
      return start("report", folder.toString());
    }
    System.out.println(
        "python3 >= 3.9 makes the report, but "
            + missing
            + "; the measured values are in "
            + folder.toAbsolutePath());
    return 0;
  }
}
