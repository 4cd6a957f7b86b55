package toystore.torture.postgresql;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import toystore.testkit.Conditions;
import toystore.testkit.HttpTestClient;
import toystore.testkit.StoreProcesses;

/// A store on a cluster: two processes of the catalog, of the order service and of the frontend,
/// one of the account and the payment service. One thread.
final class StoreOnCluster implements AutoCloseable {
  static final List<String> FRONTENDS = List.of("frontend", "frontend2");

  private static final Map<String, List<String>> PAIRS =
      Map.of("catalog", List.of("catalog", "catalog2"), "order", List.of("order", "order2"));
  private static final List<String> ALONE = List.of("account", "payment", "frontend", "frontend2");
  private static final List<String> NAMES =
      List.of(
          "catalog", "catalog2", "account", "payment", "order", "order2", "frontend", "frontend2");
  private static final String TOKEN = "token of the administrator of this trial";
  private static final Duration RECOVERED_WITHIN = Duration.ofMinutes(3);

  /// Exit code of a service that another process has taken over.
  private static final int TAKEN_OVER = 75;

  private static final int KILLED = 128 + 9;

  private final StoreProcesses store;
  private final Path token;

  /// Starts the store.
  ///
  /// @param url of the database, with the addresses of all nodes
  StoreOnCluster(Path folder, String url) throws IOException {
    token = Files.createDirectories(folder.resolve("data")).resolve("admin-token");
    Files.writeString(token, TOKEN);
    store = new StoreProcesses(folder).withDatabase(url, PatroniNode.PASSWORD);
    for (String name : NAMES) {
      store.start(name);
    }
    awaitPairs();
  }

  HttpTestClient[] frontends() {
    return FRONTENDS.stream().map(store::http).toArray(HttpTestClient[]::new);
  }

  int paymentPort() {
    return store.port("payment");
  }

  Path administratorToken() {
    return token;
  }

  StoreProcesses processes() {
    return store;
  }

  /// The process that serves.
  String active(String service) {
    await(() -> ready(service) == 1);
    return PAIRS.get(service).stream()
        .filter(it -> store.http(it).isReady())
        .findFirst()
        .orElseThrow();
  }

  private long ready(String service) {
    return PAIRS.get(service).stream().filter(it -> store.http(it).isReady()).count();
  }

  /// Waits until the other process of the pair serves.
  void awaitTakeover(String service, String from) {
    await(() ->
        PAIRS.get(service).stream().anyMatch(it -> !it.equals(from) && store.http(it).isReady()));
  }

  /// Waits until a process that was resumed has noticed that another one serves, and has ended.
  void awaitEnd(String name) {
    await(() -> !store.process(name).isAlive());
    assertThat(store.process(name).exitValue()).as("exit code of " + name).isEqualTo(TAKEN_OVER);
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

  /// Waits until all processes run, and all but one of each pair serve.
  void awaitPairs() {
    await(() -> {
      restartEnded();
      return PAIRS.keySet().stream().allMatch(it -> ready(it) == 1)
          && PAIRS.values().stream().flatMap(List::stream).allMatch(it -> store.http(it).isAlive())
          && ALONE.stream().allMatch(it -> store.http(it).isReady());
    });
  }

  private static void await(Callable<Boolean> condition) {
    Conditions.patiently().atMost(RECOVERED_WITHIN).until(condition);
  }

  @Override
  public void close() {
    store.close();
  }
}
