package toystore.torture.postgresql;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import toystore.clients.Conditions;
import toystore.clients.StoreProcesses;

/// A store on a cluster: two processes of the catalog, the order service and the frontend, one of
/// the account and the payment service. One thread.
final class StoreOnCluster implements AutoCloseable {
  private static final List<String> PAIRS = List.of("catalog", "order");
  private static final List<String> ALONE = List.of("account", "payment", "frontend", "frontend2");

  /// In the order of their start: the order service has the optional peers that were started
  /// before.
  private static final List<String> NAMES =
      List.of(
          "account", "payment", "frontend", "frontend2", "catalog", "catalog2", "order", "order2");

  private static final Duration PATIENCE = Duration.ofMinutes(3);

  /// Exit code of a service that another process has taken over.
  private static final int TAKEN_OVER = 75;

  private static final int KILLED = 128 + 9;

  private final StoreProcesses store;

  /// Starts the store.
  ///
  /// @param url of the database, with the addresses of all nodes
  StoreOnCluster(Path folder, String url) throws IOException {
    store = new StoreProcesses(folder).withDatabase(url, PatroniNode.PASSWORD);
    // a reader must see at once what was bought at the other frontend
    store.with("frontend", "toystore.frontend.reads", "direct");
    for (String name : NAMES) {
      store.start(name);
    }
    awaitAll();
  }

  StoreProcesses processes() {
    return store;
  }

  /// The process of a pair that serves.
  String active(String service) {
    await(() -> ready(service).size() == 1);
    return ready(service).getFirst();
  }

  private List<String> ready(String service) {
    return NAMES.stream().filter(it -> it.startsWith(service) && store.http(it).isReady()).toList();
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
      return NAMES.stream().allMatch(it -> store.http(it).isAlive())
          && PAIRS.stream().allMatch(it -> ready(it).size() == 1)
          && ALONE.stream().allMatch(it -> store.http(it).isReady());
    });
  }

  /// Restarts processes that ended because another one had taken over, as a supervisor would.
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
  public void close() {
    store.close();
  }
}
