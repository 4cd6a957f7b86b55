package toystore.lab.run;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import toystore.clients.load.CallSource;
import toystore.clients.load.ClosedLoop;
import toystore.clients.load.LiveLoad;
import toystore.clients.load.Scenario;
import toystore.testkit.PostgresPair;

/// A started subject: where it listens, its processes, and what can be switched while it runs. The
/// subject that starts it fills it. One thread.
public class RunningSubject implements AutoCloseable {
  /// Names of the products that are called.
  static final List<String> PRODUCTS = products(200);

  /// Environment of every store: room for the items that a warm-up registers, and few rounds of
  /// bcrypt, so that its users are soon registered.
  static final Map<String, String> SETTINGS =
      Map.of(
          "TOYSTORE_ACCOUNT_BCRYPT_STRENGTH", "4",
          "TOYSTORE_CATALOG_MAX_ITEMS", "1000000",
          "TOYSTORE_CATALOG_MAX_ITEMS_PER_SELLER", "1000000");

  private static final List<String> STOCKS = List.of("GameStart", "FishCo", "BoarCo", "MenhirCo");

  /// 20 prices change a second.
  private static final Duration UPDATE_PAUSE = Duration.ofMillis(49);

  private URI url;

  /// Process id by service. A process that the launcher found dead is missing until it is back.
  public final Map<String, Long> pids = new ConcurrentSkipListMap<>();

  /// When one of them was back, in `System.nanoTime`.
  volatile long changed = System.nanoTime();

  /// Names of the processes that wait to take over.
  final Set<String> standbys = new ConcurrentSkipListSet<>();

  /// URL of the Prometheus page by service.
  final Map<String, URI> metrics = new TreeMap<>();

  /// Values of the scenario that this subject determines.
  final Map<String, List<String>> values = new TreeMap<>();

  /// Where a published port is, and the gRPC service whose prices change; null: there is none.
  @Nullable URI published;

  @Nullable URI prices;

  /// Its database, which ends with it; null: it has none of its own.
  @Nullable PostgresPair servers;

  final List<DelayRelay> betweenServices = new ArrayList<>();
  private final List<StartedProgram> programs = new ArrayList<>();
  private @Nullable DelayRelay toClients;
  private boolean alwaysRelayed;
  private @Nullable LiveLoad updates; // of prices, while they change

  public RunningSubject(URI url) {
    this.url = url;
  }

  /// A subject whose programs are being started.
  RunningSubject() {
    this(URI.create(""));
  }

  private static List<String> products(int count) {
    return IntStream.rangeClosed(1, count).mapToObj(it -> "Toy " + it).toList();
  }

  Path writeCatalog(Path folder) throws IOException {
    return writeCatalog(folder, PRODUCTS.size());
  }

  /// Writes products that never run out of stock, which are called then, and stocks that any number
  /// of trades can sell.
  ///
  /// @param count number of the products
  Path writeCatalog(Path folder, int count) throws IOException {
    values.put("product", products(count));
    var lines = new StringBuilder("name,price,quantity,category,max_volume\n");
    products(count).forEach(it -> lines.append(it).append(",9.99,1000000000,,\n"));
    STOCKS.forEach(it -> lines.append(it).append(",15.99,1000000000,Stocks,9000000000000\n"));
    return Files.writeString(folder.resolve("catalog.csv"), lines).toAbsolutePath();
  }

  /// Adds a program that is stopped with the subject, before those that were added earlier.
  public StartedProgram add(StartedProgram program) {
    programs.add(program);
    return program;
  }

  void listensAt(URI address) {
    url = address;
  }

  /// Passes all calls through a relay, also at distance 0.
  void relay() throws IOException {
    toClients = new DelayRelay(url.getPort());
    url = toClients.url();
    alwaysRelayed = true;
  }

  public URI url() {
    return url;
  }

  /// Switches to a [StoreCondition].
  ///
  /// @param condition empty: none
  /// @return the URL to call
  /// @throws IOException if it has no such condition
  URI apply(String condition) throws IOException {
    StoreCondition wanted = StoreCondition.parse(condition);
    betweenServices.forEach(it -> it.setDistance(wanted.betweenServices()));
    endUpdates();
    if (wanted.updates()) {
      var prices = new CallSource(known(this.prices, condition), Scenario.ofStore(), "update");
      updates =
          new LiveLoad(List.of(prices), 0, 1, UPDATE_PAUSE, new ClosedLoop.ResponseListener() {});
    }
    if (wanted.published()) {
      return known(published, condition);
    }
    if (wanted.distance().isZero() && !alwaysRelayed) {
      return url;
    }
    if (toClients == null) {
      toClients = new DelayRelay(url.getPort());
    }
    toClients.setDistance(
        alwaysRelayed ? wanted.distance() : wanted.distance().minus(DelayRelay.BASE));
    return toClients.url();
  }

  private static URI known(@Nullable URI address, String condition) throws IOException {
    if (address == null) {
      throw new IOException("this subject has no condition " + condition);
    }
    return address;
  }

  private void endUpdates() {
    if (updates != null) {
      updates.close();
      Map<String, Long> failed = updates.totals().getFirst().failed();
      updates = null;
      if (!failed.isEmpty()) {
        throw new IllegalStateException("a price could not be changed: " + failed);
      }
    }
  }

  /// Stops it and waits for its end.
  @Override
  public void close() throws IOException, InterruptedException {
    endUpdates();
    for (StartedProgram program : programs.reversed()) {
      program.close();
    }
    for (DelayRelay relay : betweenServices) {
      relay.close();
    }
    if (toClients != null) {
      toClients.close();
    }
    if (servers != null) {
      servers.close();
    }
  }
}
