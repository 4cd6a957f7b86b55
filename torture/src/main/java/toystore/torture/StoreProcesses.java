package toystore.torture;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;

/// A store as processes, each of which may be stopped, killed and started again. Unless told
/// otherwise its catalog sells a million of one toy, Tux.
///
/// A process is called by its service's name (`catalog`, `order`, `frontend`); a second frontend is
/// `frontend2`.
public final class StoreProcesses implements AutoCloseable {
  public static final long TUX = 1_000_000;

  private static final AtomicInteger NEXT_PORT =
      new AtomicInteger((int) (ProcessHandle.current().pid() * 101 % 10_000));

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

  /// Starts the named ones and waits until the frontend is ready.
  public static StoreProcesses start(Path folder, String... names) throws IOException {
    var store = new StoreProcesses(folder);
    try {
      for (String name : names) {
        store.start(name);
      }
      await(store.http("frontend")::isReady);
      return store;
    } catch (IOException | RuntimeException | AssertionError e) {
      store.close();
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

  /// Tells a service a setting, from its next start on.
  public StoreProcesses with(String service, String setting, String value) {
    settings.computeIfAbsent(service, _ -> new TreeMap<>()).put(setting, value);
    return this;
  }

  /// Starts a service's JVM with more options, from its next start on.
  public StoreProcesses withJvm(String service, String... options) {
    jvmOptions.put(service, List.of(options));
    return this;
  }

  /// Starts a service by another `main` than its own, from its next start on.
  public StoreProcesses withMain(String service, Class<?> main) {
    mains.put(service, main);
    return this;
  }

  /// Starts a service by its own `main` again, from its next start on.
  public StoreProcesses withOwnMain(String service) {
    mains.remove(service);
    return this;
  }

  /// The way to a frontend.
  public Http http(String frontend) {
    return new Http(port(frontend), port(frontend + "-management"));
  }

  /// Where a process listens: gRPC, or HTTP at a frontend. Of `NAME-management`: its management.
  public int port(String name) {
    return ports.computeIfAbsent(name, _ -> freePort());
  }

  /// How gRPC names a port of this machine.
  public static String target(int port) {
    return "static://127.0.0.1:" + port;
  }

  public void start(String name) throws IOException {
    String service = name.replaceAll("\\d", "");
    var command = new ArrayList<>(Programs.JVM);
    command.addAll(jvmOptions.getOrDefault(service, List.of()));
    Programs.of(service).addTo(command, mains.get(service));
    settings
        .getOrDefault(service, Map.of())
        .forEach((key, value) -> command.add("--%s=%s".formatted(key, value)));
    command.add("--toystore.%s.port=%d".formatted(service, port(name)));
    command.add("--toystore.%s.management-port=%d".formatted(service, port(name + "-management")));
    processes.put(
        name,
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.appendTo(log(name).toFile()))
            .start());
  }

  /// What a process has said; it outlives the store.
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
    assertThat(process(name).waitFor(15, TimeUnit.SECONDS)).as(name + " ends in time").isTrue();
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
    Programs.run("kill", "-" + signal, Long.toString(process(name).pid()));
  }

  /// The process of that name that was started last.
  public Process process(String name) {
    return Objects.requireNonNull(processes.get(name), name);
  }

  @Override
  public void close() {
    processes.values().forEach(Process::destroyForcibly);
  }

  /// Below those the system gives to outgoing connections, so that it is still free after a kill;
  /// one after the other from where no other program like this one is likely to look.
  private static int freePort() {
    return IntStream.generate(() -> 20_000 + Math.floorMod(NEXT_PORT.getAndIncrement(), 10_000))
        .filter(StoreProcesses::isFree)
        .findFirst()
        .orElseThrow();
  }

  private static boolean isFree(int port) {
    try (var _ = new ServerSocket(port)) {
      return true;
    } catch (IOException busy) {
      return false;
    }
  }

  @FunctionalInterface
  public interface Condition {
    boolean holds() throws IOException;
  }

  /// Waits for a condition, 60 s at most.
  public static void await(Condition condition) throws IOException {
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
    while (!condition.holds()) {
      assertThat(System.nanoTime()).as("waited 60 s in vain").isLessThan(end);
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(20));
    }
  }
}
