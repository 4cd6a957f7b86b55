package toystore.lab.run;

import java.io.BufferedReader;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// A store of three containers, started by `docker/lab-store`: on a bridge, where it is called at
/// the frontend's address or, with the condition `published`, at a published port; or on the host's
/// network.
///
/// @param network `bridge` or `host`
/// @param storage of the databases: `volume`, or `overlay` for the container's own layer
/// @param port published port, or on the host's network the first port
record ContainerSubject(
    String name,
    String description,
    ContainerEngine engine,
    String network,
    String storage,
    int port)
    implements Subject {
  private static final long STOP_SECONDS = 60;

  @Override
  public boolean hasCondition(String condition) {
    return condition.isEmpty() || (condition.equals("published") && network.equals("bridge"));
  }

  @Override
  public String missing() throws IOException, InterruptedException {
    return engine.missing();
  }

  @Override
  public Running start(Path folder) throws IOException, InterruptedException {
    var command =
        List.of(
            "docker/lab-store",
            network,
            storage,
            name,
            Integer.toString(port),
            CatalogSubject.products(folder).toAbsolutePath().toString());
    var store = new LinePrinter(command, engine);
    try {
      return new RunningContainers(store, network, store.awaitReady(), System.currentTimeMillis());
    } catch (IOException | RuntimeException e) {
      store.close();
      throw e;
    }
  }

  /// A script that prints lines `KEY=VALUE` and then `ready`, and runs until its standard input
  /// ends.
  static final class LinePrinter implements AutoCloseable {
    private final Process process;
    private final Path errors;

    LinePrinter(List<String> command, Map<String, String> environment, Path home)
        throws IOException {
      errors = Files.createTempFile("toystore-lab-", ".errors");
      var builder =
          new ProcessBuilder(command).directory(home.toFile()).redirectError(errors.toFile());
      builder.environment().putAll(environment);
      process = builder.start();
    }

    LinePrinter(List<String> command, ContainerEngine engine)
        throws IOException, InterruptedException {
      this(command, engine.environment(), engine.home());
    }

    Map<String, String> awaitReady() throws IOException {
      var values = new TreeMap<String, String>();
      BufferedReader output = process.inputReader(StandardCharsets.UTF_8);
      for (String line = output.readLine(); line != null; line = output.readLine()) {
        if (line.equals("ready")) {
          return values;
        }
        String[] fields = line.split("=", 2);
        if (fields.length == 2) {
          values.put(fields[0], fields[1]);
        }
      }
      throw new IOException(
          "the containers did not become ready: %s".formatted(Files.readString(errors).strip()));
    }

    @Override
    public void close() throws IOException, InterruptedException {
      process.getOutputStream().close();
      if (!process.waitFor(STOP_SECONDS, TimeUnit.SECONDS)) {
        process.destroy();
        process.waitFor();
      }
      Files.delete(errors);
    }
  }

  private record RunningContainers(
      LinePrinter store, String network, Map<String, String> printed, long readyMillis)
      implements Running {
    @Override
    public URI url() {
      return URI.create(required(network));
    }

    private String required(String key) {
      String value = printed.get(key);
      if (value == null) {
        throw new IllegalStateException("expected a line %s=…, got %s".formatted(key, printed));
      }
      return value;
    }

    @Override
    public Map<String, Long> pids() {
      return printed("pid-").entrySet().stream()
          .collect(Collectors.toMap(Map.Entry::getKey, it -> Long.parseLong(it.getValue())));
    }

    @Override
    public Map<String, URI> metrics() {
      return printed("management-").entrySet().stream()
          .collect(
              Collectors.toMap(
                  Map.Entry::getKey, it -> URI.create(it.getValue() + "/actuator/prometheus")));
    }

    private Map<String, String> printed(String prefix) {
      var found = new HashMap<String, String>();
      printed.forEach((key, value) -> {
        if (key.startsWith(prefix)) {
          found.put(key.substring(prefix.length()), value);
        }
      });
      return found;
    }

    @Override
    public Map<String, List<String>> values() {
      return Map.of("product", LauncherSubject.products());
    }

    @Override
    public URI apply(String condition) {
      return condition.isEmpty() ? url() : URI.create(required(condition));
    }

    @Override
    public void close() throws IOException, InterruptedException {
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

    Path home() {
      return home;
    }

    /// Why there is no engine; empty if there is one, or if one can be started.
    String missing() throws IOException, InterruptedException {
      Process check =
          new ProcessBuilder("docker/with-images")
              .directory(home.toFile())
              .redirectErrorStream(true)
              .start();
      check.getOutputStream().close();
      String output = new String(check.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      return check.waitFor() == 0 ? "" : output.strip().lines().reduce("", (_, last) -> last);
    }

    Map<String, String> environment() throws IOException, InterruptedException {
      if (environment == null) {
        String print = "echo host=$DOCKER_HOST; echo version=$TOYSTORE_VERSION; echo ready; cat";
        var engine =
            new LinePrinter(List.of("docker/with-images", "sh", "-c", print), Map.of(), home);
        Map<String, String> printed = engine.awaitReady();
        var found = new HashMap<String, String>();
        found.put("TOYSTORE_VERSION", printed.getOrDefault("version", ""));
        if (!printed.getOrDefault("host", "").isEmpty()) {
          found.put("DOCKER_HOST", printed.get("host"));
        }
        environment = Map.copyOf(found);
      }
      return environment;
    }
  }
}
