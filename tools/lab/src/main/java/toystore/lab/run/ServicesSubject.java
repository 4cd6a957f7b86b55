package toystore.lab.run;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import toystore.lab.load.PriceUpdater;

/// Services without marketplace and exchange, a process each. All [StoreCondition]s of processes
/// can be switched while it runs. If it is relayed, every connection passes a [DelayRelay], also at
/// distance 0:
///
/// ```
/// client ── relay ── frontend ─┬─ relay ── order ── relay ─┬─ catalog
///                              └─ relay ───────────────────┘
/// ```
///
/// @param home the project folder
/// @param relayed whether each connection passes a relay
/// @param inMemory whether its files are in main memory, so that a sync takes no time: that shows
///   what durability costs, because what was acknowledged is lost with the machine
/// @param catalogSettings such as `--toystore.catalog.readers=5`
record ServicesSubject(
    String name, Path home, boolean relayed, boolean inMemory, List<String> catalogSettings)
    implements Subject {
  private static final Path MEMORY = Path.of("/dev/shm");
  private static final List<String> STOCKS = List.of("GameStart", "FishCo", "BoarCo", "MenhirCo");

  /// Writes products that never run out of stock, and stocks that any number of trades can sell.
  static Path products(Path folder) throws IOException {
    var lines = new StringBuilder("name,price,quantity,category,max_volume\n");
    LauncherSubject.products()
        .forEach(it -> lines.append(String.format(Locale.ROOT, "%s,9.99,1000000000,,%n", it)));
    STOCKS.forEach(it ->
        lines.append(String.format(Locale.ROOT, "%s,15.99,1000000000,Stocks,9000000000000%n", it)));
    return Files.writeString(folder.resolve("catalog.csv"), lines).toAbsolutePath();
  }

  @Override
  public boolean hasCondition(String condition) {
    return StoreCondition.matches(condition, it -> !it.published() && (relayed || !it.isRelayed()));
  }

  @Override
  public String missing() {
    return inMemory && !Files.isDirectory(MEMORY) ? "there is no file system " + MEMORY : "";
  }

  @Override
  public Path parentFolder() {
    return inMemory ? MEMORY : Subject.super.parentFolder();
  }

  @Override
  public Running start(Path folder) throws IOException, InterruptedException {
    List<Integer> ports = LabService.freePorts(3);
    var store = new RunningServices();
    try {
      start(folder, ports, store);
      return store;
    } catch (IOException | InterruptedException | RuntimeException e) {
      store.close();
      throw e;
    }
  }

  private void start(Path folder, List<Integer> ports, RunningServices store)
      throws IOException, InterruptedException {
    var settings = new ArrayList<String>();
    settings.add("--toystore.catalog.file=" + products(folder));
    settings.addAll(catalogSettings);
    store.services.add(service(folder, "catalog", ports.get(0), settings));
    String toCatalog = target(ports.get(0), store.betweenServices);
    settings.clear();
    settings.add("--toystore.order.catalog-target=" + toCatalog);
    settings.add("--toystore.order.account-target=");
    settings.add("--toystore.order.payment-target=");
    store.services.add(service(folder, "order", ports.get(1), settings));
    settings.clear();
    settings.add("--toystore.frontend.audit-interval=0"); // no background work while measuring
    settings.add(Experiments.DIRECT_READS);
    settings.add("--toystore.frontend.catalog-target=" + toCatalog);
    settings.add("--toystore.frontend.order-target=" + target(ports.get(1), store.betweenServices));
    settings.add("--toystore.frontend.account-target=");
    settings.add("--toystore.frontend.exchange-target=");
    store.services.add(service(folder, "frontend", ports.get(2), settings));
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

  private static final class RunningServices implements Running {
    private final List<LabService> services = new ArrayList<>(); // the catalog is the first
    private final List<DelayRelay> toClient = new ArrayList<>();
    private final List<DelayRelay> betweenServices = new ArrayList<>();
    private PriceUpdater updater = PriceUpdater.NONE;

    @Override
    public URI url() {
      int port = toClient.isEmpty() ? services.getLast().port() : toClient.getFirst().port();
      return URI.create("http://127.0.0.1:" + port);
    }

    private URI catalog() {
      return URI.create("grpc://127.0.0.1:" + services.getFirst().port());
    }

    @Override
    public Map<String, Long> pids() {
      return services.stream()
          .collect(Collectors.toMap(LabService::name, it -> it.program().pid()));
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
      toClient.forEach(it -> it.setDistance(wanted.distance()));
      betweenServices.forEach(it -> it.setDistance(wanted.betweenServices()));
      updater.close();
      updater = wanted.updates() ? PriceUpdater.start(catalog()) : PriceUpdater.NONE;
      return url();
    }

    @Override
    public void close() throws IOException, InterruptedException {
      updater.close();
      for (LabService service : services.reversed()) {
        service.program().close();
      }
      for (List<DelayRelay> relays : List.of(toClient, betweenServices)) {
        for (DelayRelay relay : relays) {
          relay.close();
        }
      }
    }
  }
}
