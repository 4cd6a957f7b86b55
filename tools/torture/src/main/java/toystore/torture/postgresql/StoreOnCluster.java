package toystore.torture.postgresql;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import toystore.clients.Conditions;
import toystore.clients.FaultProxy;
import toystore.clients.StoreHttpClient;
import toystore.clients.StoreProcesses;
import toystore.torture.trial.MarketplaceBuyers;
import toystore.torture.trial.PaymentLedger;

/// A store on a cluster: two processes of each service. Those with a database reach each node of
/// the cluster by a proxy of their own. One thread.
final class StoreOnCluster implements AutoCloseable {
  /// In the order of their start: a service has the optional peers that were started before.
  private static final List<String> PAIRS =
      List.of("account", "payment", "exchange", "catalog", "order");

  private static final List<String> FRONTENDS = List.of("frontend", "frontend2");
  private static final List<String> NAMES =
      Stream.concat(PAIRS.stream().flatMap(it -> Stream.of(it, it + "2")), FRONTENDS.stream())
          .toList();

  private static final Duration PATIENCE = Duration.ofMinutes(3);

  /// Exit code of a service that another process has taken over.
  private static final int TAKEN_OVER = 75;

  private static final int KILLED = 128 + 9;

  private final StoreProcesses store;
  private final Map<String, List<FaultProxy>> proxies = new TreeMap<>();

  /// Starts the store.
  StoreOnCluster(Path folder, PatroniCluster cluster) throws IOException {
    Map<String, String> urls = new TreeMap<>();
    for (String name : NAMES.subList(0, NAMES.size() - FRONTENDS.size())) {
      List<FaultProxy> own = new ArrayList<>();
      for (int port : cluster.ports()) {
        own.add(new FaultProxy(port, 0, new SplittableRandom()));
      }
      proxies.put(name, own);
      urls.put(name, url(own));
    }
    String stock = ",25.99," + StoreProcesses.TUX + "\n";
    store =
        new StoreProcesses(folder)
            .withDatabase(urls, "toystore", PatroniCluster.PASSWORD)
            .sell("Tux" + stock + KeylessBuyers.PRODUCT + stock)
            .with("exchange", "toystore.exchange.xml-port", "0");
    // a reader must see at once what was bought at the other frontend
    store.with("frontend", "toystore.frontend.reads", "direct");
    for (String name : NAMES) {
      store.start(name);
    }
    awaitAll();
  }

  private static String url(List<FaultProxy> proxies) {
    return proxies.stream()
        .map(it -> "127.0.0.1:" + it.port())
        .collect(Collectors.joining(",", "jdbc:postgresql://", "/toystore"));
  }

  StoreProcesses processes() {
    return store;
  }

  StoreHttpClient[] frontends() {
    return FRONTENDS.stream().map(store::http).toArray(StoreHttpClient[]::new);
  }

  /// Checks what customers bought, and waits until the audit finds nothing.
  long check(MarketplaceBuyers purchases) {
    try (var ledger = new PaymentLedger(store.grpc(active("payment")))) {
      return purchases.check(ledger);
    }
  }

  /// The way of a process to the database.
  List<FaultProxy> proxies(String name) {
    return Objects.requireNonNull(proxies.get(name));
  }

  /// The process of a pair that serves.
  String active(String service) {
    await(() -> ready(service).size() == 1);
    return ready(service).getFirst();
  }

  private List<String> ready(String service) {
    return NAMES.stream().filter(it -> it.startsWith(service) && store.isReady(it)).toList();
  }

  /// Waits until the other process of a pair serves.
  void awaitTakeover(String service, String from) {
    await(() -> ready(service).stream().anyMatch(it -> !it.equals(from)));
  }

  /// Resumes a process, and waits until it has noticed that another one serves, and has ended.
  void thawAndAwaitEnd(String name) throws IOException {
    store.thaw(name);
    await(() -> !store.process(name).isAlive());
  }

  /// Waits until all processes run, and all but one of each pair serve.
  void awaitAll() {
    await(() -> {
      restartEnded();
      return NAMES.stream().allMatch(it -> store.isAlive(it))
          && PAIRS.stream().allMatch(it -> ready(it).size() == 1)
          && FRONTENDS.stream().allMatch(it -> store.isReady(it));
    });
  }

  /// Restarts processes that ended by themselves, as a supervisor would.
  void restartEnded() throws IOException {
    for (String name : NAMES) {
      Process process = store.process(name);
      if (!process.isAlive() && process.exitValue() != KILLED) {
        assertThat(process.exitValue()).as("exit code of " + name).isEqualTo(TAKEN_OVER);
        store.start(name);
      }
    }
  }

  private static void await(Callable<Boolean> condition) {
    Conditions.patiently().atMost(PATIENCE).until(condition);
  }

  @Override
  public void close() throws IOException {
    store.close();
    for (FaultProxy proxy : proxies.values().stream().flatMap(List::stream).toList()) {
      proxy.close();
    }
  }
}
