package toystore.lab.run;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import toystore.clients.BuiltPrograms;
import toystore.clients.Project;

/// A store with a container for each service, started by `docker/lab-store`: on a bridge, where it
/// is called at the frontend's address or, with the condition `published`, at a published port; or
/// on the host's network.
///
/// @param services `store`: without marketplace and exchange; or `all`
/// @param network `bridge` or `host`
/// @param storage of the databases: `volume`, or `overlay` for the container's own layer
record ContainerSubject(String name, Path home, String services, String network, String storage)
    implements Subject {
  private static final String PORT =
      "9750"; // the published one, or on the host's network the first

  @Override
  public boolean hasCondition(String condition) {
    return condition.isEmpty() || (condition.equals("published") && network.equals("bridge"));
  }

  @Override
  public String missing() {
    if (BuiltPrograms.isRelease(home)) {
      return name + " needs a clone, because its images are built from source";
    }
    try {
      Project.run(home, List.of("docker/with-images"));
      return "";
    } catch (IOException e) {
      return String.valueOf(e.getMessage()).lines().reduce("", (_, last) -> last);
    }
  }

  /// Starts a container engine with the images of this build, which ends with this program.
  @Override
  public void prepare(Map<String, String> environment) throws IOException, InterruptedException {
    if (!environment.containsKey("TOYSTORE_VERSION")) {
      String print =
          "echo TOYSTORE_VERSION=$TOYSTORE_VERSION; echo DOCKER_HOST=$DOCKER_HOST; echo ready;"
              + " exec cat"; // gets the signal itself
      var command = List.of("docker/with-images", "sh", "-c", print);
      var printed = printed(new StartedProgram("the container engine", home, Map.of(), command));
      printed.keySet().retainAll(List.of("TOYSTORE_VERSION", "DOCKER_HOST"));
      printed.values().removeIf(String::isEmpty);
      environment.putAll(printed);
    }
  }

  @Override
  public RunningSubject start(Path folder) throws IOException, InterruptedException {
    var store = new RunningSubject();
    String catalog = store.writeCatalog(folder).toString();
    var environment = new HashMap<>(RunningSubject.SETTINGS);
    environment.put("TOYSTORE_FRONTEND_READS", "direct");
    var command = List.of("docker/lab-store", services, network, storage, name, PORT, catalog);
    Map<String, String> printed =
        printed(store.add(new StartedProgram(name, home, environment, command)));
    printed.forEach((key, value) -> {
      if (key.startsWith("pid-")) {
        store.pids.put(key.substring("pid-".length()), Long.parseLong(value));
      } else if (key.startsWith("management-")) {
        store.metrics.put(
            key.substring("management-".length()), URI.create(value + "/actuator/prometheus"));
      } else if (key.equals("published")) {
        store.published = URI.create(value);
      } else if (key.equals(network)) {
        store.listensAt(URI.create(value));
      }
    });
    return store;
  }

  /// Reads the lines `KEY=VALUE` of a script, until it prints `ready`.
  private static Map<String, String> printed(StartedProgram script)
      throws IOException, InterruptedException {
    var values = new TreeMap<String, String>();
    script.awaitLine(line -> {
      String[] fields = line.split("=", 2);
      if (fields.length == 2) {
        values.put(fields[0], fields[1]);
      }
      return line.equals("ready");
    });
    return values;
  }
}
