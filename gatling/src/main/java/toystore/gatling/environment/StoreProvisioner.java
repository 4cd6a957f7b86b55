package toystore.gatling.environment;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.apache.commons.csv.CSVFormat;

/// Starts the stores of an experiment and stops them. One thread.
///
/// Each store has a temporary data folder and the shipped catalog, with enough stock of every
/// product for any run.
public final class StoreProvisioner implements AutoCloseable {
  private static final long PIECES = 10_000_000;
  private static final String MAX_VOLUME = "9000000000000000";
  private static final int FIRST_PORT = 8180; // 8080 is left to the user
  private static final int LAST_PORT = 8980;

  private final Optional<Path> home;
  private final Path folder;
  private final List<AutoCloseable> started = new ArrayList<>();
  private final String token = UUID.randomUUID().toString(); // administrator's token of every store
  private int port = FIRST_PORT;

  /// @param home the project's folder; empty: no store can be started
  /// @param folder for logs
  public StoreProvisioner(Optional<Path> home, Path folder) {
    this.home = home;
    this.folder = folder;
    Runtime.getRuntime().addShutdownHook(new Thread(this::close, "stop the stores"));
  }

  /// A store that is already running. Its gRPC calls are not counted, because the metrics pages of
  /// all its services are not known from its address.
  public Subject existing(URI url, Optional<URI> audit) {
    return Subject.at(
        "target",
        "the store at " + url,
        url,
        audit.map(StoreProvisioner::auditSupplier),
        List.of());
  }

  /// Three processes on this machine, as `./toystore up` starts them.
  public Subject processes(String name) throws IOException, InterruptedException {
    int at = up(name, List.of());
    return local(name, "a process a service", at, List.of(at + 1, at + 1001, at + 1002));
  }

  /// All services in one JVM, as `./toystore up --together` starts it.
  public Subject together(String name) throws IOException, InterruptedException {
    int at = up(name, List.of("--together"));
    return local(name, "all services in one JVM", at, List.of(at + 1));
  }

  /// Three containers in each of four ways, two of them the same containers: `host bridge published
  /// overlay`.
  public List<Subject> containers() throws IOException, InterruptedException {
    return ContainerStores.start(this);
  }

  /// Only the `bridge` store of [#containers].
  public Subject bridge(String name) throws IOException, InterruptedException {
    return ContainerStores.bridge(this).as(name, "containers on a bridge, called there");
  }

  /// A store with constant prices, and the same store while its stocks' prices change.
  public List<Subject> withUpdates(Subject store) {
    var updater = new HttpPriceUpdater(store.url(), token);
    closeLater(updater);
    return List.of(
        store.withBeforeCell(updater::stop),
        store
            .as(store.name() + "-updated", store.what() + ", " + HttpPriceUpdater.WHAT)
            .withBeforeCell(updater::start)
            .withAbout("against", store.name()));
  }

  /// One store in its own network namespace, as one subject per distance.
  public List<Subject> distances(List<Distance> distances)
      throws IOException, InterruptedException {
    return DistantStore.start(this, distances);
  }

  /// Single catalog services, one per name, each with additional settings (`--toystore.catalog.…`).
  ///
  /// @throws IOException with the log file, if a catalog did not become ready
  public Map<String, CatalogOnly> catalogs(Map<String, List<String>> settings)
      throws IOException, InterruptedException {
    return CatalogOnly.start(this, settings);
  }

  private int up(String name, List<String> more) throws IOException, InterruptedException {
    int at = freePort();
    var command =
        new ArrayList<>(
            List.of("./toystore", "up", "--fresh", "--port", String.valueOf(at), "--catalog"));
    command.add(catalog().toString());
    command.add("--toystore.frontend.audit-interval=0"); // no background work while measuring
    command.addAll(more);
    startProcess(name, command).awaitReady();
    return at;
  }

  private static Subject local(String name, String what, int port, List<Integer> management) {
    return Subject.at(
        name,
        what,
        http("127.0.0.1", port, ""),
        Optional.of(auditSupplier(http("127.0.0.1", port + 1, "/audit"))),
        management.stream().map(it -> http("127.0.0.1", it, "/actuator/prometheus")).toList());
  }

  static URI http(String host, int port, String path) {
    return URI.create("http://%s:%d%s".formatted(host, port, path));
  }

  static Supplier<String> auditSupplier(URI audit) {
    return () -> StoreHttpClient.get(audit);
  }

  /// The command that starts a single service with a temporary data folder: from the launcher's
  /// build, or from the module's jar if the launcher has not built it.
  List<String> serviceCommand(String service) throws IOException {
    Path app = home().resolve("target/app").resolve(service + "-service");
    Path data = Files.createTempDirectory("toystore-lab-" + service);
    closeLater(() -> remove(data));
    return List.of(
        Path.of(System.getProperty("java.home"), "bin/java").toString(),
        "-Xmx128m",
        "-Djava.io.tmpdir=" + data,
        "@" + home().resolve("jvm.options"),
        "-Xlog:disable",
        "-XX:AOTCache=" + app.resolve(service + "-service.aot"),
        "-jar",
        jar(service, app).toString(),
        "--toystore.data=" + data,
        "--toystore.supervised=true"); // the service stops with this process
  }

  private Path jar(String service, Path app) throws IOException {
    Path unpacked = app.resolve(service + "-service.jar");
    if (Files.exists(unpacked)) {
      return unpacked;
    }
    Path target = home().resolve(service + "-service/target");
    try (Stream<Path> files = Files.exists(target) ? Files.list(target) : Stream.empty()) {
      return files
          .filter(it -> it.toString().endsWith("-exec.jar"))
          .findFirst()
          .orElseThrow(
              () -> new SkippedException(target + ": the " + service + " service is not built"));
    }
  }

  private static void remove(Path folder) throws IOException {
    try (Stream<Path> files = Files.walk(folder)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.deleteIfExists(file);
      }
    }
  }

  EnvironmentProcess startProcess(String name, List<String> command) throws IOException {
    return startProcess(name, command, Map.of());
  }

  EnvironmentProcess startProcess(
      String name, List<String> command, Map<String, String> environment) throws IOException {
    var all = new HashMap<>(environment);
    all.put("TOYSTORE_ADMIN_TOKEN", token);
    var child = EnvironmentProcess.start(command, all, home(), log(name));
    closeLater(child);
    return child;
  }

  void closeLater(AutoCloseable it) {
    synchronized (started) {
      started.add(it);
    }
  }

  Path log(String name) {
    return folder.resolve("log").resolve(name + ".log");
  }

  Path home() {
    return home.orElseThrow(() ->
        new IllegalArgumentException(
            "cannot start a store: -Dhome (the project folder) is not set"));
  }

  /// The first port of the next free block for a whole store; blocks are 100 ports apart.
  int freePort() {
    for (; port <= LAST_PORT; port += 100) {
      int at = port;
      if (List.of(at, at + 1, at + 1001, at + 1002, at + 1011, at + 1012).stream()
          .allMatch(StoreProvisioner::isFree)) {
        port += 100;
        return at;
      }
    }
    throw new IllegalStateException(
        "no free block of ports for a store between %d and %d".formatted(FIRST_PORT, LAST_PORT));
  }

  private static boolean isFree(int port) {
    try (var socket = new ServerSocket()) {
      socket.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
      return true;
    } catch (IOException busy) {
      return false;
    }
  }

  /// Writes the shipped catalog with a large quantity of each product, and a large maximum volume
  /// of each stock.
  Path catalog() throws IOException {
    var shipped = home().resolve("catalog-service/src/main/resources/catalog.csv");
    var file = folder.resolve("catalog.csv").toAbsolutePath();
    try (var in =
            CSVFormat.RFC4180.builder().setHeader().get().parse(Files.newBufferedReader(shipped));
        var out = CSVFormat.RFC4180.print(Files.newBufferedWriter(file))) {
      out.printRecord("name", "price", "quantity", "category", "max_volume");
      for (var toy : in) {
        String maxVolume = toy.get("max_volume").isEmpty() ? "" : MAX_VOLUME;
        out.printRecord(toy.get("name"), toy.get("price"), PIECES, toy.get("category"), maxVolume);
      }
    }
    return file;
  }

  /// Stops everything that was started, the last first.
  @Override
  public void close() {
    List<AutoCloseable> all;
    synchronized (started) {
      all = List.copyOf(started.reversed());
      started.clear();
    }
    for (var it : all) {
      try {
        it.close();
      } catch (Exception stays) {
        System.err.println("cleanup failed: " + stays);
      }
    }
  }

  /// An added distance.
  ///
  /// @param where `client`: between client and frontend; `services`: between each two services
  /// @param addedMillis to the round trip
  public record Distance(String name, String where, double addedMillis) {
    Map<String, String> about() {
      return Map.of("distance", where, "added-ms", String.valueOf(addedMillis));
    }
  }
}
