package toystore.lab.run;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import toystore.lab.load.LoadProgram;

/// Something that is measured, such as a store started in a certain way. Only one runs at a time.
public interface Subject {
  /// One word, such as `processes`.
  String name();

  /// Whether a condition of a plan applies to it. Cells with other conditions are left out.
  default boolean hasCondition(String condition) {
    return condition.isEmpty();
  }

  /// Why it cannot be started on this machine; empty if it can.
  default String missing() throws IOException, InterruptedException {
    return "";
  }

  /// How long it is warmed up.
  ///
  /// @param planned the plan's duration
  default double warmUpSeconds(double planned) {
    return planned;
  }

  /// The cores of the machine that its processes may use, the first ones; the load client uses the
  /// others, if there are any. 0: both use all.
  default int cores() {
    return 0;
  }

  /// The folder in which a start gets a folder for its files.
  default Path parentFolder() {
    return Path.of(System.getProperty("java.io.tmpdir"));
  }

  /// Starts it and waits until it is ready.
  ///
  /// @param folder for its files, removed by the caller
  /// @throws IOException if it does not become ready; the message contains the end of its output
  Running start(Path folder) throws IOException, InterruptedException;

  /// A started subject.
  interface Running extends AutoCloseable {
    URI url();

    /// Process id by service.
    default Map<String, Long> pids() {
      return Map.of();
    }

    /// URL of the Prometheus page by service.
    default Map<String, URI> metrics() {
      return Map.of();
    }

    /// Values of the scenario that this subject determines, such as its products.
    default Map<String, List<String>> values() {
      return Map.of();
    }

    /// The main class of the load client that runs the plan's own loops. Its arguments are the file
    /// of the [StartPlan] and the file to which it writes a [CellRow] in each line.
    default String loadProgram() {
      return LoadProgram.class.getName();
    }

    /// Further class path of the load program, such as `:lib/*`.
    default String libraries() {
      return "";
    }

    /// Switches a condition of the plan, such as a distance.
    ///
    /// @param condition empty: none
    /// @return the URL to call
    /// @throws IOException if it has no such condition
    default URI apply(String condition) throws IOException {
      if (!condition.isEmpty()) {
        throw new IOException("expected no condition, got " + condition);
      }
      return url();
    }

    /// Stops it and waits for its end.
    @Override
    void close() throws IOException, InterruptedException;
  }
}
