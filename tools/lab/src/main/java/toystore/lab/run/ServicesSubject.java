package toystore.lab.run;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Stream;

/// Services without marketplace and exchange, a process each. If it is relayed, every connection
/// passes a [DelayRelay], also at distance 0:
///
/// ```
/// client ── relay ── frontend ─┬─ relay ── order ── relay ─┬─ catalog
///                              └─ relay ───────────────────┘
/// ```
///
/// @param home the project folder, built by `./toystore`
/// @param settings of all services, such as `readers=5`
/// @param relayed whether each connection passes a relay
/// @param inMemory whether its files are in main memory, so that a sync takes no time: that shows
///   what durability costs, because what was acknowledged is lost with the machine
record ServicesSubject(
    String name, Path home, List<String> settings, boolean relayed, boolean inMemory)
    implements Subject {
  private static final Path MEMORY = Path.of("/dev/shm");
  private static final String TOKEN = UUID.randomUUID().toString(); // the services share it

  @Override
  public String missing() {
    return inMemory && !Files.isDirectory(MEMORY) ? "there is no file system " + MEMORY : "";
  }

  @Override
  public Path parentFolder() {
    return inMemory ? MEMORY : Subject.super.parentFolder();
  }

  @Override
  public RunningSubject start(Path folder) throws IOException, InterruptedException {
    var store = new RunningSubject();
    try {
      start(folder, store);
      return store;
    } catch (IOException | InterruptedException | RuntimeException e) {
      store.close();
      throw e;
    }
  }

  private void start(Path folder, RunningSubject store) throws IOException, InterruptedException {
    int catalog = start("catalog", Stream.of("file=" + store.writeCatalog(folder)), folder, store);
    store.prices = URI.create("grpc://127.0.0.1:" + catalog);
    String toCatalog = "catalog-target=" + target(catalog, store);
    int order =
        start("order", Stream.of(toCatalog, "account-target=", "payment-target="), folder, store);
    var ofFrontend =
        Stream.of(
            "audit-interval=0", // no background work while measuring
            "reads=direct",
            toCatalog,
            "order-target=" + target(order, store),
            "account-target=",
            "exchange-target=");
    int frontend = start("frontend", ofFrontend, folder, store);
    store.listensAt(URI.create("http://127.0.0.1:" + frontend));
    if (relayed) {
      store.relay();
    }
  }

  /// Starts a service and waits until it is ready.
  ///
  /// @param own its settings, such as `reads=direct`
  /// @return its port
  private int start(String service, Stream<String> own, Path folder, RunningSubject store)
      throws IOException, InterruptedException {
    String name = service + "-service";
    Path options = home.toAbsolutePath().resolve("target/app").resolve(name + ".options");
    if (Files.notExists(options)) {
      throw new IOException(options + " does not exist; ./toystore lab builds it");
    }
    int port;
    int management;
    try (var first = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
        var second = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      port = first.getLocalPort();
      management = second.getLocalPort();
    }
    Path data = Files.createDirectories(folder.resolve(service));
    var command = new ArrayList<>(StartedProgram.jvm(home));
    command.addAll(List.of("@" + options, "--toystore.data=" + data, "--toystore.supervised=true"));
    Stream.concat(Stream.of("port=" + port, "management-port=" + management), own)
        .map(it -> "--toystore." + service + "." + it)
        .forEach(command::add);
    settings.forEach(it -> command.add("--toystore." + it));
    var program =
        store.add(new StartedProgram(name, home, Map.of("TOYSTORE_ADMIN_TOKEN", TOKEN), command));
    URI page = URI.create("http://127.0.0.1:" + management);
    program.awaitPage(page.resolve("/health/readiness"));
    store.pids.put(service, program.pid());
    store.metrics.put(service, page.resolve("/actuator/prometheus"));
    return port;
  }

  private String target(int port, RunningSubject store) throws IOException {
    int called = port;
    if (relayed) {
      var relay = DelayRelay.to(port);
      store.betweenServices.add(relay);
      called = relay.port();
    }
    return "static://127.0.0.1:" + called;
  }
}
