package toystore.lab.run;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// A store with a container for each service, started by `docker/lab-store`: on a bridge, where it
/// is called at the frontend's address or, with the condition `published`, at a published port; or
/// on the host's network.
///
/// @param services `store`: without marketplace and exchange; or `all`
/// @param network `bridge` or `host`
/// @param storage of the databases: `volume`, or `overlay` for the container's own layer
/// @param port published port, or on the host's network the first port
record ContainerSubject(
    String name, ContainerEngine engine, String services, String network, String storage, int port)
    implements Subject {
  @Override
  public boolean hasCondition(String condition) {
    return condition.isEmpty() || (condition.equals("published") && network.equals("bridge"));
  }

  @Override
  public String missing() {
    return engine.missing();
  }

  @Override
  public Running start(Path folder) throws IOException, InterruptedException {
    String products = ServicesSubject.products(folder).toString();
    var environment = new HashMap<>(engine.environment());
    environment.put("TOYSTORE_ACCOUNT_BCRYPT_STRENGTH", "4"); // as Experiments.CHEAP_HASH
    environment.put("TOYSTORE_FRONTEND_READS", "direct"); // as Experiments.DIRECT_READS
    var command = new ArrayList<>(List.of("docker/lab-store", services, network, storage));
    command.addAll(List.of(name, Integer.toString(port), products));
    var store = new StartedProgram(name, engine.home, environment, command);
    return new RunningContainers(store, network, printed(store));
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

  private record RunningContainers(
      StartedProgram store, String network, Map<String, String> printed) implements Running {
    @Override
    public URI url() {
      return apply(network);
    }

    @Override
    public Map<String, Long> pids() {
      return printed("pid-", Long::parseLong);
    }

    @Override
    public Map<String, URI> metrics() {
      return printed("management-", it -> URI.create(it + "/actuator/prometheus"));
    }

    private <T> Map<String, T> printed(String prefix, Function<String, T> value) {
      return printed.entrySet().stream()
          .filter(it -> it.getKey().startsWith(prefix))
          .collect(
              Collectors.toMap(
                  it -> it.getKey().substring(prefix.length()), it -> value.apply(it.getValue())));
    }

    @Override
    public Map<String, List<String>> values() {
      return Map.of("product", LauncherSubject.products());
    }

    @Override
    public URI apply(String condition) {
      String key = condition.isEmpty() ? network : condition;
      String value = printed.get(key);
      if (value == null) {
        throw new IllegalStateException(
            String.format(Locale.ROOT, "expected a line %s=…, got %s", key, printed));
      }
      return URI.create(value);
    }

    @Override
    public void close() throws InterruptedException {
      store.close();
    }
  }

  /// A container engine with the images of this build, started when the first containers are. It
  /// ends with this program. One thread.
  static final class ContainerEngine {
    private final Path home;
    private @Nullable Map<String, String> environment;

    ContainerEngine(Path home) {
      this.home = home;
    }

    /// Why there is no engine; empty if there is one, or if one can be started.
    String missing() {
      try {
        StartedProgram.output(home, List.of("docker/with-images"));
        return "";
      } catch (IOException e) {
        return String.valueOf(e.getMessage()).lines().reduce("", (_, last) -> last);
      }
    }

    Map<String, String> environment() throws IOException, InterruptedException {
      if (environment == null) {
        String print =
            "echo TOYSTORE_VERSION=$TOYSTORE_VERSION; echo DOCKER_HOST=$DOCKER_HOST; echo ready;"
                + " exec cat"; // gets the signal itself
        var found =
            new HashMap<>(
                printed(
                    new StartedProgram(
                        "the container engine",
                        home,
                        Map.of(),
                        List.of("docker/with-images", "sh", "-c", print))));
        found.keySet().retainAll(List.of("TOYSTORE_VERSION", "DOCKER_HOST"));
        found.values().removeIf(String::isEmpty);
        environment = Map.copyOf(found);
      }
      return environment;
    }
  }
}
