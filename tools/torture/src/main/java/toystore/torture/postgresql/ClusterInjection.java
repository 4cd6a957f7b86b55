package toystore.torture.postgresql;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import toystore.clients.ClientThreads;
import toystore.clients.Conditions;
import toystore.clients.HttpBuyers;

/// Injects faults, waits until the store sells again, and repairs what is broken. One thread.
final class ClusterInjection {
  private static final int ANSWERS = 50;
  private static final Duration SELLS_WITHIN = Duration.ofSeconds(120);
  private static final int MAX_SECONDS = 20;
  private static final int DATABASES = 5;

  private final PatroniCluster cluster;
  private final StoreOnCluster store;
  private final HttpBuyers buyers;
  private final Map<String, ClientThreads> others;
  private final Random random;
  private ClientThreads measured;

  /// @param others the clients of the services that no buyer needs
  ClusterInjection(
      PatroniCluster cluster,
      StoreOnCluster store,
      HttpBuyers buyers,
      Map<String, ClientThreads> others,
      Random random) {
    this.cluster = cluster;
    this.store = store;
    this.buyers = buyers;
    this.others = others;
    this.random = random;
    this.measured = buyers;
  }

  /// @return the longest time in which no buy was acknowledged, or no request of the clients of the
  ///   service with the fault, from the fault on, or from its end if no service can work before
  Duration pauseOf(ClusterFault fault) throws Exception {
    awaitAllAnswers();
    measure();
    fault.injection.inject(this);
    awaitAnswers();
    cluster.awaitHealthy();
    store.awaitAll();
    awaitAllAnswers();
    return measured.longestPause();
  }

  private void measure() {
    measured.measurePauses();
  }

  private void awaitAllAnswers() {
    awaitAnswers(buyers, ANSWERS);
    others.values().forEach(it -> awaitAnswers(it, 2));
  }

  private void awaitAnswers() {
    awaitAnswers(measured, measured == buyers ? ANSWERS : 2);
  }

  private void awaitAnswers(ClientThreads clients, int count) {
    long enough = clients.answers() + count;
    Conditions.patiently()
        .atMost(SELLS_WITHIN)
        .until(() -> {
          store.restartEnded();
          return clients.answers() >= enough;
        });
  }

  PatroniNode primary() {
    return cluster.primary();
  }

  void execute(List<String> statements) throws Exception {
    cluster.execute(statements);
  }

  /// A part of a fault or of its repair.
  @FunctionalInterface
  interface FaultStep<T> {
    void accept(T victim) throws Exception;
  }

  void losePrimary(FaultStep<PatroniNode> loss, FaultStep<PatroniNode> repair) throws Exception {
    PatroniNode primary = cluster.primary();
    loss.accept(primary);
    Conditions.await(() -> cluster.hasPrimaryOtherThan(primary));
    awaitAnswers();
    repair.accept(primary);
  }

  void fillDisk() throws Exception {
    PatroniNode primary = cluster.primary();
    Duration from = buyers.now();
    primary.fillDisk();
    Conditions.await(
        () -> // PostgreSQL stays the primary and refuses rows
        buyers.requests("buy", from, buyers.now()).stream().anyMatch(it -> it.status() == 503));
    primary.freeDisk();
    measure();
  }

  void kill(String service) throws Exception {
    loseActive(service, store.processes()::kill, store.processes()::start);
  }

  void freezeCatalog() throws Exception {
    loseActive("catalog", store.processes()::freeze, store::thawAndAwaitEnd);
  }

  /// Drops what the active process of a service and the database send to each other.
  void silence(String service) throws Exception {
    loseActive(service, store::silence, store::reconnect);
  }

  /// Resets the connections of the active process of a service to the database.
  void refuse(String service) throws Exception {
    loseActive(service, store::refuse, store::reconnect);
  }

  private void loseActive(String service, FaultStep<String> loss, FaultStep<String> repair)
      throws Exception {
    measured = others.getOrDefault(service, buyers);
    measure();
    String active = store.active(service);
    loss.accept(active);
    store.awaitTakeover(service, active);
    awaitAnswers();
    repair.accept(active);
  }

  void killFrontend() throws Exception {
    String frontend = random.nextBoolean() ? "frontend" : "frontend2";
    store.processes().kill(frontend);
    awaitAnswers();
    store.processes().start(frontend);
  }

  /// Ends the sessions of the store while commits wait for a standby, so that their outcome is in
  /// doubt, and lets no session begin for some seconds.
  void loseCommits(List<String> refusal, String repair) throws Exception {
    loseCommits(refusal, () -> cluster.execute(List.of(repair)));
  }

  /// The administrator writes the new password into the store's file.
  void changePassword() throws Exception {
    String password = "gehêim " + UUID.randomUUID();
    loseCommits(
        List.of("ALTER ROLE toystore PASSWORD '" + password + "'"),
        () -> store.processes().changePassword(password));
  }

  private void loseCommits(List<String> refusal, Repair repair) throws Exception {
    List<PatroniNode> standbys = cluster.standbys();
    for (PatroniNode standby : standbys) {
      standby.freeze();
    }
    cluster.awaitWaitingCommits(DATABASES);
    cluster.execute(refusal);
    cluster.execute(List.of(PatroniCluster.END_SESSIONS));
    pass();
    boolean thawFirst = random.nextBoolean();
    if (!thawFirst) {
      repair.execute();
    }
    for (PatroniNode standby : standbys) {
      standby.thaw();
    }
    if (thawFirst) {
      repair.execute();
    }
    measure();
  }

  @FunctionalInterface
  private interface Repair {
    void execute() throws Exception;
  }

  /// Changes settings for some seconds.
  void changeSettings(List<String> change, List<String> repair) throws Exception {
    cluster.execute(change);
    pass();
    cluster.execute(repair);
    measure();
  }

  /// Kills the primary after some seconds in which the store's sessions should not wait for the
  /// disk and the standbys.
  void killAsynchronous() throws Exception {
    changeSettings(
        List.of("ALTER ROLE toystore SET synchronous_commit = off", PatroniCluster.END_SESSIONS),
        List.of());
    losePrimary(it -> PatroniNode.kill(it.postgres()), _ -> {});
    cluster.execute(List.of("ALTER ROLE toystore RESET synchronous_commit"));
  }

  /// Waits for some seconds.
  private void pass() {
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(2 + random.nextInt(MAX_SECONDS - 1));
    Conditions.await(() -> System.nanoTime() > end);
  }
}
