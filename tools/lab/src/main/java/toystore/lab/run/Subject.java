package toystore.lab.run;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/// Something that is measured, such as a store started in a certain way. Only one runs at a time.
public interface Subject {
  /// One word, such as `processes`.
  String name();

  /// Whether a condition of a plan applies to it. Cells with other conditions are left out.
  default boolean hasCondition(String condition) {
    return !condition.equals("published"); // of containers
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

  /// Makes what all starts need, before the first: builds a program, or starts a container engine.
  ///
  /// @param environment of all starts; receives variables
  default void prepare(Map<String, String> environment) throws IOException, InterruptedException {}

  /// What [toystore.lab.StartCommand] must know of it besides its name, as options.
  default List<String> arguments() {
    return List.of();
  }

  /// Starts it and waits until it is ready.
  ///
  /// @param folder for its files, removed by the caller
  /// @throws IOException if it does not become ready; the message contains the end of its output
  RunningSubject start(Path folder) throws IOException, InterruptedException;
}
