package toystore.cli.launch;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.TreeMap;
import toystore.cli.command.DurableFiles;

/// The state that a running `up` writes to `up.properties`, for `status` and for users.
///
/// @param launcher the process id of the launcher
/// @param since when the launcher was started
/// @param databases where the data of each service is, see [StorePlan#databases]
/// @param pids process ids by the processes' names
public record RunState(
    long launcher,
    StoreLayout layout,
    Instant since,
    Map<String, String> databases,
    Map<String, Long> pids) {
  private static final String PART = "part.";
  private static final String DATABASE = "database.";
  private static final String PID = ".pid";

  RunState with(ProcessSpec part, long pid) {
    var all = new TreeMap<>(pids);
    all.put(part.name(), pid);
    return new RunState(launcher, layout, since, databases, Map.copyOf(all));
  }

  /// Writes the file atomically, so that no reader sees a partial file.
  public void write(Path file) throws IOException {
    var properties = new Properties();
    properties.setProperty("launcher" + PID, Long.toString(launcher));
    properties.setProperty("mode", layout.together() ? "together" : "apart");
    properties.setProperty("frontends", Integer.toString(layout.frontends()));
    properties.setProperty("standby", Boolean.toString(layout.standby()));
    properties.setProperty("port", Integer.toString(layout.ports().frontend()));
    properties.setProperty("listen", layout.listen());
    properties.setProperty("since", since.toString());
    databases.forEach((program, place) -> properties.setProperty(DATABASE + program, place));
    pids.forEach((name, pid) -> properties.setProperty(PART + name + PID, Long.toString(pid)));
    DurableFiles.write(file, properties, "the running store; this file is removed when it stops");
  }

  /// The store that is running on a data folder.
  static Optional<RunState> of(DataFolder folder) throws IOException {
    return folder.isInUse() ? read(folder.upProperties()) : Optional.empty();
  }

  public static Optional<RunState> read(Path file) throws IOException {
    var properties = new Properties();
    try (BufferedReader reader = Files.newBufferedReader(file)) {
      properties.load(reader);
    } catch (NoSuchFileException nothing) {
      return Optional.empty();
    }
    var databases = new TreeMap<String, String>();
    properties.stringPropertyNames().stream()
        .filter(key -> key.startsWith(DATABASE))
        .forEach(
            key -> databases.put(key.substring(DATABASE.length()), properties.getProperty(key)));
    var pids = new TreeMap<String, Long>();
    properties.stringPropertyNames().stream()
        .filter(key -> key.startsWith(PART))
        .forEach(key ->
            pids.put(
                key.substring(PART.length(), key.length() - PID.length()),
                Long.valueOf(properties.getProperty(key))));
    return Optional.of(
        new RunState(
            Long.parseLong(properties.getProperty("launcher" + PID)),
            new StoreLayout(
                properties.getProperty("mode").equals("together"),
                Integer.parseInt(properties.getProperty("frontends", "1")),
                Boolean.parseBoolean(properties.getProperty("standby")),
                new PortPlan(Integer.parseInt(properties.getProperty("port"))),
                properties.getProperty("listen")),
            Instant.parse(properties.getProperty("since")),
            Map.copyOf(databases),
            Map.copyOf(pids)));
  }
}
