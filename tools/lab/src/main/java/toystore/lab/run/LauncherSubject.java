package toystore.lab.run;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.TreeMap;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import toystore.clients.BuiltPrograms;
import toystore.testkit.PostgresCluster;
import toystore.testkit.PostgresPair;

/// A store that is started as users start it: `./toystore up --fresh`.
///
/// @param home the project folder, of this or of another commit
/// @param port port of the frontend
/// @param cores that it may use; 0: all
/// @param heapMiB maximum heap of each of its processes; 0: that of `up`
/// @param products number of products in its catalog
/// @param postgresql its database, which is started before it: `single`, or `replicated`, where a
///   commit is also on a standby before it is acknowledged; null: SQLite. The CPU time of
///   PostgreSQL is not counted
/// @param options further options of `up`, such as `--together`
public record LauncherSubject(
    String name,
    Path home,
    int port,
    int cores,
    int heapMiB,
    int products,
    @Nullable String postgresql,
    List<String> options)
    implements Subject {
  private static final Pattern PROCESS =
      Pattern.compile("([a-z]+)-service(-\\d+)? +pid (\\d+), (?:HTTP|gRPC) (\\d+).*");
  private static final Pattern CHANGE =
      Pattern.compile(
          "([a-z]+)-service(-\\d+)? (?:died.*|(has taken over|is a standby now|is ready again), pid (\\d+))");
  private static final Pattern XML = Pattern.compile("XML (\\d+)");
  private static final Pattern MANAGEMENT = Pattern.compile("management (?:\\S*:)?(\\d+)");
  private static final String DATABASE = "toystore";
  private static final String READY = "ready http://";

  @Override
  public String missing() {
    return BuiltPrograms.isRelease(home) && postgresql != null
        ? name + " needs a clone, because a release has no PostgreSQL"
        : "";
  }

  @Override
  public List<String> arguments() {
    return List.of("--home=" + home);
  }

  @Override
  public RunningSubject start(Path folder) throws IOException, InterruptedException {
    var store = new RunningSubject();
    try {
      start(folder, store);
      return store;
    } catch (SQLException e) {
      store.close();
      throw new IOException(e);
    } catch (IOException | InterruptedException | RuntimeException e) {
      store.close();
      throw e;
    }
  }

  /// @param store receives its program and its values
  private void start(Path folder, RunningSubject store)
      throws IOException, InterruptedException, SQLException {
    var command = new ArrayList<>(List.of("./toystore", "up", "--fresh"));
    command.addAll(List.of("--port", Integer.toString(port)));
    command.addAll(List.of("--catalog", store.writeCatalog(folder, products).toString()));
    command.addAll(options);
    String token = UUID.randomUUID().toString();
    var variables = new TreeMap<>(RunningSubject.SETTINGS);
    if (postgresql != null) {
      variables.put("TOYSTORE_DATABASE_USER", "postgres");
      command.addAll(List.of("--database", database(folder, store)));
    }
    if (heapMiB > 0) {
      variables.put("_JAVA_OPTIONS", "-Xmx" + heapMiB + "m"); // the JVM prefers it to its arguments
    }
    variables.put("TOYSTORE_ADMIN_TOKEN", token);
    store.values.put("admin_token", List.of(token));
    String ready =
        store
            .add(new StartedProgram(name, home, variables, StartedProgram.onCores(cores, command)))
            .awaitLine(
                line -> {
                  addProcess(line, store);
                  return line.startsWith(READY);
                },
                line -> changeProcess(line, store));
    store.listensAt(URI.create(ready.split(" ", -1)[1]));
  }

  private String database(Path folder, RunningSubject store) throws IOException, SQLException {
    if ("single".equals(postgresql)) {
      return PostgresCluster.database(DATABASE);
    }
    store.servers = new PostgresPair(Files.createDirectories(folder.resolve("postgresql")));
    return store.servers.database(DATABASE);
  }

  /// Adds the process that a line of the launcher names, if it names one, and its ports as values
  /// such as `account_port` or `frontend_2_port`. Services that share a process have one management
  /// port.
  private static void addProcess(String line, RunningSubject store) {
    Matcher process = PROCESS.matcher(line);
    if (process.matches()) {
      String name = name(process);
      store.values.put(name.replace('-', '_') + "_port", List.of(process.group(4)));
      Matcher xml = XML.matcher(line);
      if (xml.find()) {
        store.values.put("xml_port", List.of(xml.group(1)));
      }
      Matcher management = MANAGEMENT.matcher(line);
      if (management.find()) {
        store.pids.put(name, Long.parseLong(process.group(3)));
        if (line.endsWith(", standby")) {
          store.standbys.add(name);
        }
        store.metrics.put(
            name, URI.create("http://127.0.0.1:" + management.group(1) + "/actuator/prometheus"));
      }
    }
  }

  /// Notes that a process has died, is back, or has taken over, if a line of the launcher says so.
  private static void changeProcess(String line, RunningSubject store) {
    Matcher process = CHANGE.matcher(line);
    if (process.matches()) {
      String name = name(process);
      String state = process.group(3);
      if (state == null) {
        store.pids.remove(name);
        return;
      }
      if (state.equals("is a standby now")) {
        store.standbys.add(name);
      } else {
        store.standbys.remove(name);
      }
      store.pids.put(name, Long.parseLong(process.group(4)));
      store.changed = System.nanoTime();
    }
  }

  private static String name(Matcher process) {
    return process.group(1) + Objects.requireNonNullElse(process.group(2), "");
  }
}
