package toystore.lab.run;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import toystore.clients.Conditions;
import toystore.clients.StoreProcesses;

/// Services without marketplace and exchange, a process each. If it is relayed, every connection
/// passes a [DelayRelay], also at distance 0:
///
/// ```
/// client ── relay ── frontend ─┬─ relay ── order ── relay ─┬─ catalog
///                              └─ relay ───────────────────┘
/// ```
///
/// @param settings of all services, such as `readers=5`
/// @param relayed whether each connection passes a relay
/// @param inMemory whether its files are in main memory, so that a sync takes no time: that shows
///   what durability costs, because what was acknowledged is lost with the machine
record ServicesSubject(String name, List<String> settings, boolean relayed, boolean inMemory)
    implements Subject {
  private static final Path MEMORY = Path.of("/dev/shm");

  @Override
  public String missing() {
    return inMemory && !Files.isDirectory(MEMORY) ? "there is no file system " + MEMORY : "";
  }

  @Override
  public Path parentFolder() {
    return inMemory ? MEMORY : Subject.super.parentFolder();
  }

  @Override
  public RunningSubject start(Path folder) throws IOException {
    var services = new StoreProcesses(folder);
    var store =
        new RunningSubject() {
          @Override
          public void close() throws IOException, InterruptedException {
            super.close();
            for (String service : List.of("frontend", "order", "catalog")) {
              services.stop(service);
            }
          }
        };
    try {
      start(services, folder, store);
      return store;
    } catch (IOException | RuntimeException e) {
      services.close();
      throw e;
    }
  }

  private void start(StoreProcesses services, Path folder, RunningSubject store)
      throws IOException {
    store.writeCatalog(folder); // in place of that of StoreProcesses
    int catalog = start("catalog", services, store);
    store.prices = URI.create("grpc://127.0.0.1:" + catalog);
    services.with("order", "toystore.order.catalog-target", target(catalog, store));
    int order = start("order", services, store);
    services
        .with("frontend", "toystore.frontend.audit-interval", "0") // no background work
        .with("frontend", "toystore.frontend.reads", "direct")
        .with("frontend", "toystore.frontend.catalog-target", target(catalog, store))
        .with("frontend", "toystore.frontend.order-target", target(order, store));
    store.listensAt(URI.create("http://127.0.0.1:" + start("frontend", services, store)));
    if (relayed) {
      store.relay();
    }
  }

  /// Starts a service and waits until it is ready.
  ///
  /// @return its port
  private int start(String service, StoreProcesses services, RunningSubject store)
      throws IOException {
    services.withJvm(service, StartedProgram.HEAP, "-XX:TieredStopAtLevel=4");
    for (String setting : settings) {
      String[] words = setting.split("=", 2);
      services.with(service, "toystore." + words[0], words[1]);
    }
    services.start(service);
    Conditions.await(() -> services.isReady(service));
    store.pids.put(service, services.process(service).pid());
    int management = services.http(service).managementPort();
    store.metrics.put(
        service, URI.create("http://127.0.0.1:" + management + "/actuator/prometheus"));
    return services.port(service);
  }

  private String target(int port, RunningSubject store) throws IOException {
    if (!relayed) {
      return StoreProcesses.target(port);
    }
    var relay = new DelayRelay(port);
    store.betweenServices.add(relay);
    return StoreProcesses.target(relay.port());
  }
}
