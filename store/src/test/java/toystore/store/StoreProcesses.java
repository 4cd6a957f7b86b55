package toystore.store;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/// A store as processes, started from their jars, each of which a test may stop, kill and start
/// again. Its catalog sells a million of one toy, Tux.
///
/// A process is called by its service's name (`catalog`, `order`, `frontend`); a second frontend is
/// `frontend2`.
final class StoreProcesses implements AutoCloseable {
  static final long TUX = 1_000_000;

  private static final String JAVA =
      Path.of(System.getProperty("java.home"), "bin", "java").toString();

  private final Path folder;
  private final Map<String, Process> processes = new TreeMap<>();
  private final Map<String, Integer> ports = new TreeMap<>();

  private StoreProcesses(Path folder) {
    this.folder = folder;
  }

  /// Starts the named ones and waits until the frontend is ready.
  static StoreProcesses start(Path folder, String... names) throws IOException {
    Files.writeString(
        folder.resolve("catalog.csv"), "name,price,quantity\nTux,25.99,%d\n".formatted(TUX));
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

  /// The way to a frontend.
  Http http(String frontend) {
    return new Http(port(frontend), port(frontend + "-management"));
  }

  void start(String name) throws IOException {
    String service = name.replaceAll("\\d", "");
    var command =
        new ArrayList<>(
            List.of(
                JAVA,
                "-Xmx128m",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "--enable-native-access=ALL-UNNAMED",
                "--sun-misc-unsafe-memory-access=allow",
                "-jar",
                program(service).toString(),
                "--toystore.data=" + folder.resolve("data"),
                "--toystore.%s.port=%d".formatted(service, port(name)),
                "--toystore.%s.management-port=%d".formatted(service, port(name + "-management"))));
    if (service.equals("catalog")) {
      command.add("--toystore.catalog.file=" + folder.resolve("catalog.csv"));
    } else {
      command.add("--toystore.%s.catalog-target=%s".formatted(service, target("catalog")));
    }
    if (service.equals("frontend")) {
      command.add("--toystore.frontend.order-target=" + target("order"));
    }
    processes.put(
        name,
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(
                ProcessBuilder.Redirect.appendTo(
                    Path.of("target", "store-process-" + name + ".log").toFile()))
            .start());
  }

  /// Ends it at once.
  void kill(String name) throws InterruptedException {
    assertThat(process(name).destroyForcibly().waitFor(10, TimeUnit.SECONDS)).isTrue();
  }

  /// Asks it to end (SIGTERM) and waits until it has.
  ///
  /// @return its exit code
  int stop(String name) throws InterruptedException {
    process(name).destroy();
    assertThat(process(name).waitFor(15, TimeUnit.SECONDS)).as(name + " ends in time").isTrue();
    return process(name).exitValue();
  }

  /// Keeps it from running, as it is (SIGSTOP).
  void freeze(String name) throws IOException {
    signal("STOP", name);
  }

  /// Lets it run on (SIGCONT).
  void thaw(String name) throws IOException {
    signal("CONT", name);
  }

  private void signal(String signal, String name) throws IOException {
    run("kill", "-" + signal, Long.toString(process(name).pid()));
  }

  private static void run(String... command) throws IOException {
    try {
      Process process =
          new ProcessBuilder(command).redirectOutput(ProcessBuilder.Redirect.DISCARD).start();
      assertThat(process.waitFor()).as(String.join(" ", command)).isZero();
    } catch (InterruptedException e) {
      throw new IllegalStateException("nobody interrupts a test", e);
    }
  }

  private Process process(String name) {
    return Objects.requireNonNull(processes.get(name), name);
  }

  @Override
  public void close() {
    processes.values().forEach(Process::destroyForcibly);
  }

  private String target(String service) {
    return "static://127.0.0.1:" + port(service);
  }

  private int port(String name) {
    return ports.computeIfAbsent(name, _ -> freePort());
  }

  /// The program, unpacked once: from there it starts twice as fast as from the one jar.
  private Path program(String service) throws IOException {
    Path unpacked = folder.resolve("programs").resolve(service);
    if (Files.notExists(unpacked)) {
      run(
          JAVA,
          "-Djarmode=tools",
          "-jar",
          jar(service).toString(),
          "extract",
          "--destination",
          unpacked.toString(),
          "--application-filename",
          "service.jar");
    }
    return unpacked.resolve("service.jar");
  }

  private static Path jar(String service) throws IOException {
    try (var jars = Files.list(Path.of("..", service + "-service", "target"))) {
      return jars.filter(it -> it.getFileName().toString().endsWith("-exec.jar"))
          .findFirst()
          .orElseThrow(() -> new IllegalStateException("no jar of " + service + "; run verify"));
    }
  }

  /// Below those the system gives to outgoing connections, so that it is still free after a kill.
  private int freePort() {
    return ThreadLocalRandom.current()
        .ints(20_000, 30_000)
        .filter(port -> !ports.containsValue(port) && isFree(port))
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
  interface Condition {
    boolean holds() throws IOException;
  }

  static void await(Condition condition) throws IOException {
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
    while (!condition.holds()) {
      assertThat(System.nanoTime()).as("waited 60 s in vain").isLessThan(end);
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(20));
    }
  }
}
