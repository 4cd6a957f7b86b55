package toystore.lab.run;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import toystore.lab.load.PriceUpdater;

/// Catalog, order service and frontend, without marketplace and exchange. All [StoreCondition]s of
/// processes can be switched while it runs. If it is relayed, every connection passes a
/// [DelayRelay], also at distance 0:
///
/// ```
/// client ── relay ── frontend ─┬─ relay ── order ── relay ─┬─ catalog
///                              └─ relay ───────────────────┘
/// ```
///
/// @param home the project folder
record ServicesSubject(String name, String description, Path home, boolean relayed)
    implements Subject {
  @Override
  public boolean hasCondition(String condition) {
    try {
      StoreCondition parsed = StoreCondition.parse(condition);
      return !parsed.published() && (relayed || !parsed.isRelayed());
    } catch (IOException unknown) {
      return false;
    }
  }

  @Override
  public Running start(Path folder) throws IOException, InterruptedException {
    var store = new RunningServices(new ArrayList<>(), new ArrayList<>(), new ArrayList<>());
    try {
      start(folder, store);
      return store;
    } catch (IOException | InterruptedException | RuntimeException e) {
      store.close();
      throw e;
    }
  }

  private void start(Path folder, RunningServices store) throws IOException, InterruptedException {
    List<Integer> ports = LabService.freePorts(4);
    Path products = CatalogSubject.products(folder);
    store.services.add(
        service(
            folder,
            "catalog",
            ports.get(0),
            List.of(
                "--toystore.catalog.file=" + products,
                "--toystore.catalog.line-port=" + ports.get(3))));
    String toCatalog = target(ports.get(0), store.betweenServices);
    store.services.add(
        service(
            folder,
            "order",
            ports.get(1),
            List.of(
                "--toystore.order.catalog-target=" + toCatalog,
                "--toystore.order.account-target=",
                "--toystore.order.payment-target=")));
    store.services.add(
        service(
            folder,
            "frontend",
            ports.get(2),
            List.of(
                "--toystore.frontend.audit-interval=0", // no background work while measuring
                "--toystore.frontend.catalog-target=" + toCatalog,
                "--toystore.frontend.order-target=" + target(ports.get(1), store.betweenServices),
                "--toystore.frontend.account-target=",
                "--toystore.frontend.exchange-target=")));
    if (relayed) {
      store.toClient.add(DelayRelay.to(ports.get(2)));
    }
  }

  private LabService service(Path folder, String service, int port, List<String> settings)
      throws IOException, InterruptedException {
    Path data = Files.createDirectories(folder.resolve(service));
    return LabService.start(home, data, service, port, settings);
  }

  private String target(int port, List<DelayRelay> relays) throws IOException {
    if (!relayed) {
      return "static://127.0.0.1:" + port;
    }
    var relay = DelayRelay.to(port);
    relays.add(relay);
    return "static://127.0.0.1:" + relay.port();
  }

  /// The started services and relays.
  private static final class RunningServices implements Running {
    private final List<LabService> services;
    private final List<DelayRelay> toClient;
    private final List<DelayRelay> betweenServices;
    private final long readyMillis = System.currentTimeMillis();
    private PriceUpdater updater = PriceUpdater.NONE;

    RunningServices(
        List<LabService> services, List<DelayRelay> toClient, List<DelayRelay> betweenServices) {
      this.services = services;
      this.toClient = toClient;
      this.betweenServices = betweenServices;
    }

    @Override
    public URI url() {
      return toClient.isEmpty()
          ? URI.create("http://127.0.0.1:" + services.getLast().port())
          : toClient.getFirst().url();
    }

    @Override
    public Map<String, Long> pids() {
      return services.stream().collect(Collectors.toMap(LabService::name, LabService::pid));
    }

    @Override
    public Map<String, URI> metrics() {
      return services.stream().collect(Collectors.toMap(LabService::name, LabService::metrics));
    }

    @Override
    public Map<String, List<String>> values() {
      return Map.of("product", LauncherSubject.products());
    }

    @Override
    public URI apply(String condition) throws IOException {
      StoreCondition wanted = StoreCondition.parse(condition);
      set(toClient, wanted.distance());
      set(betweenServices, wanted.betweenServices());
      updater.close();
      updater =
          wanted.updates()
              ? PriceUpdater.start(URI.create("grpc://127.0.0.1:" + services.getFirst().port()))
              : PriceUpdater.NONE;
      return url();
    }

    private static void set(List<DelayRelay> relays, Duration added) {
      relays.forEach(it -> it.setDistance(added));
    }

    @Override
    public long readyMillis() {
      return readyMillis;
    }

    @Override
    public void close() throws IOException, InterruptedException {
      updater.close();
      for (LabService service : services.reversed()) {
        service.close();
      }
      for (List<DelayRelay> relays : List.of(toClient, betweenServices)) {
        for (DelayRelay relay : relays) {
          relay.close();
        }
      }
    }
  }
}
