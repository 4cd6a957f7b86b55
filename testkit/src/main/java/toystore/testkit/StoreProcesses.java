package toystore.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static toystore.testkit.Conditions.await;

import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/// A store as processes, each of which may be stopped, killed and started again. Unless told
/// otherwise its catalog sells a million of one toy, Tux. One thread.
///
/// A process is called by its service's name (`catalog`, `order`, `frontend`); a second frontend is
/// `frontend2`. Settings hold from a service's next start on.
public final class StoreProcesses implements AutoCloseable {
  public static final long TUX = 1_000_000;

  private final Path folder;
  private final Map<String, Process> processes = new TreeMap<>();
  private final Map<String, Integer> ports = new TreeMap<>();
  private final Map<String, Map<String, String>> settings = new HashMap<>();
  private final Map<String, List<String>> jvmOptions = new HashMap<>();
  private final Map<String, Class<?>> mains = new HashMap<>();

  /// Nothing is started yet.
  ///
  /// @param folder for what it keeps
  public StoreProcesses(Path folder) throws IOException {
    this.folder = folder;
    sell("Tux,25.99,%d\n".formatted(TUX));
    for (String service : List.of("catalog", "order", "frontend")) {
      with(service, "toystore.data", folder.resolve("data").toString());
      if (!service.equals("catalog")) {
        with(service, "toystore." + service + ".catalog-target", target(port("catalog")));
      }
    }
    with("catalog", "toystore.catalog.file", folder.resolve("catalog.csv").toString());
    with("frontend", "toystore.frontend.order-target", target(port("order")));
  }

  /// Starts a store and waits until its frontend is ready.
  public static StoreProcesses start(Path folder, String... names) throws IOException {
    return new StoreProcesses(folder).startAll(names);
  }

  /// Starts the named ones and waits until the frontend is ready; closes all where that fails.
  public StoreProcesses startAll(String... names) throws IOException {
    try {
      for (String name : names) {
        start(name);
      }
      await(http("frontend")::isReady);
      return this;
    } catch (IOException | RuntimeException e) {
      close();
      throw e;
    }
  }

  /// What the catalog sells first.
  ///
  /// @param lines of a catalog file: name, price, quantity
  public StoreProcesses sell(String lines) throws IOException {
    Files.writeString(folder.resolve("catalog.csv"), "name,price,quantity\n" + lines);
    return this;
  }

  public StoreProcesses with(String service, String setting, String value) {
    settings.computeIfAbsent(service, _ -> new TreeMap<>()).put(setting, value);
    return this;
  }

  /// Adds options of a service's JVM, in the place of those added before.
  public StoreProcesses withJvm(String service, String... options) {
    jvmOptions.put(service, List.of(options));
    return this;
  }

  /// Starts a service by another `main`; null: by its own.
  public StoreProcesses withMain(String service, @Nullable Class<?> main) {
    if (main == null) {
      mains.remove(service);
    } else {
      mains.put(service, main);
    }
    return this;
  }

  /// A client of a process's HTTP ports; a service that is no frontend has only a management port.
  public HttpTestClient http(String name) {
    return new HttpTestClient(port(name), port(name + "-management"));
  }

  /// Where a process listens: gRPC, or HTTP at a frontend. Of `NAME-management`: its management.
  public int port(String name) {
    return ports.computeIfAbsent(name, _ -> FreePorts.free());
  }

  /// How gRPC names a port of this machine.
  public static String target(int port) {
    return "static://127.0.0.1:" + port;
  }

  public void start(String name) throws IOException {
    String service = name.replaceAll("\\d", "");
    var command = new ArrayList<>(ServiceProgram.JVM);
    command.addAll(jvmOptions.getOrDefault(service, List.of()));
    ServiceProgram.of(service).addTo(command, mains.get(service));
    settings
        .getOrDefault(service, Map.of())
        .forEach((key, value) -> command.add("--%s=%s".formatted(key, value)));
    command.add("--toystore.%s.port=%d".formatted(service, port(name)));
    command.add("--toystore.%s.management-port=%d".formatted(service, port(name + "-management")));
    var builder = new ProcessBuilder(command).redirectErrorStream(true);
    processes.put(name, builder.redirectOutput(Redirect.appendTo(log(name).toFile())).start());
  }

  /// What a process has written; it outlives the store.
  public static Path log(String name) throws IOException {
    return Files.createDirectories(Path.of("target")).resolve("store-process-" + name + ".log");
  }

  /// Ends it at once (SIGKILL).
  public void kill(String name) throws InterruptedException {
    assertThat(process(name).destroyForcibly().waitFor(10, TimeUnit.SECONDS)).isTrue();
  }

  /// Asks it to end (SIGTERM) and waits until it has.
  ///
  /// @return its exit code
  public int stop(String name) throws InterruptedException {
    process(name).destroy();
    assertThat(process(name).waitFor(15, TimeUnit.SECONDS))
        .as(name + " exits within 15 s of SIGTERM")
        .isTrue();
    return process(name).exitValue();
  }

  /// Keeps it from running, as it is (SIGSTOP).
  public void freeze(String name) throws IOException {
    signal("STOP", name);
  }

  /// Lets it run on (SIGCONT).
  public void thaw(String name) throws IOException {
    signal("CONT", name);
  }

  private void signal(String signal, String name) throws IOException {
    Project.run(List.of("kill", "-" + signal, Long.toString(process(name).pid())));
  }

  /// The process of that name that was started last.
  public Process process(String name) {
    return Objects.requireNonNull(processes.get(name), name);
  }

  @Override
  public void close() {
    processes.values().forEach(Process::destroyForcibly);
  }
}
