package toystore.torture.postgresql;

import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import toystore.clients.ClientThreads;
import toystore.clients.Conditions;
import toystore.clients.FaultProxy;
import toystore.torture.postgresql.ClusterFault.FaultStep;

/// Injects faults, waits until the store sells again, and repairs what is broken. One thread.
///
/// @param measured the clients whose pauses are measured
/// @param clients all that must continue at the end
record ClusterInjection(
    PatroniCluster cluster,
    StoreOnCluster store,
    ClientThreads measured,
    List<? extends ClientThreads> clients,
    Random random) {
  static final String END_SESSIONS =
      "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = 'toystore'";

  private static final String WAITING =
      "SELECT count(*) FROM pg_stat_activity WHERE usename = 'toystore' AND wait_event = 'SyncRep'";

  private static final int WRITERS = 5;
  private static final int ANSWERS = 5;
  private static final Duration ANSWERS_WITHIN = Duration.ofSeconds(120);

  /// After a standby is ready. On an idle machine callers find it within 2 s.
  private static final Duration STANDBY_FOUND_WITHIN = Duration.ofSeconds(15);

  private static final int MIN_SECONDS = 2;
  private static final int MAX_SECONDS = 20;

  /// @return the longest time without an answer to the measured clients, from the fault on, or from
  ///   its end if no service can work before
  Duration pauseOf(ClusterFault fault) throws Exception {
    clients.forEach(this::awaitAnswers);
    measured.measurePauses();
    fault.injection.accept(this);
    awaitAnswers(measured);
    cluster.awaitHealthy();
    store.awaitAll();
    clients.forEach(this::awaitAnswers);
    return measured.longestPause();
  }

  private void awaitAnswers(ClientThreads some) {
    awaitAnswers(some, ANSWERS_WITHIN);
  }

  private void awaitAnswers(ClientThreads some, Duration within) {
    long enough = some.answers() + ANSWERS;
    Conditions.patiently()
        .atMost(within)
        .until(() -> {
          store.restartEnded();
          return some.answers() >= enough;
        });
  }

  void losePrimary(FaultStep<PatroniNode> loss, FaultStep<PatroniNode> repair) throws Exception {
    PatroniNode primary = cluster.primary();
    loss.accept(primary);
    Conditions.await(() -> cluster.hasPrimaryOtherThan(primary));
    awaitAnswers(measured);
    repair.accept(primary);
  }

  /// PostgreSQL stays the primary and refuses rows.
  void fillDisk() throws Exception {
    PatroniNode primary = cluster.primary();
    primary.fillDisk();
    pass();
    primary.freeDisk();
    measured.measurePauses();
  }

  void kill(String service) throws Exception {
    loseActive(service, store.processes()::kill, store.processes()::start);
  }

  void freeze(String service) throws Exception {
    loseActive(service, store.processes()::freeze, store::thawAndAwaitEnd);
  }

  /// Drops what the active process and the database send to each other.
  void silence(String service) throws Exception {
    loseActive(service, it -> store.proxies(it).forEach(FaultProxy::silence), this::reconnect);
  }

  /// Resets the connections of the active process to the database.
  void refuse(String service) throws Exception {
    loseActive(service, it -> store.proxies(it).forEach(FaultProxy::refuse), this::reconnect);
  }

  private void reconnect(String name) {
    store.proxies(name).forEach(FaultProxy::heal);
  }

  private void loseActive(String service, FaultStep<String> loss, FaultStep<String> repair)
      throws Exception {
    String active = store.active(service);
    measured.measurePauses();
    loss.accept(active);
    store.awaitTakeover(service, active);
    awaitAnswers(measured, STANDBY_FOUND_WITHIN);
    repair.accept(active);
  }

  void killFrontend() throws Exception {
    String frontend = random.nextBoolean() ? "frontend" : "frontend2";
    store.processes().kill(frontend);
    awaitAnswers(measured);
    store.processes().start(frontend);
  }

  void loseCommits(String refusal, String repair) throws Exception {
    loseCommits(refusal, it -> it.execute(repair));
  }

  /// The administrator changes the password and, some seconds later, the store's file with it.
  void changePassword() throws Exception {
    String password = "gehêim " + UUID.randomUUID();
    loseCommits(
        "ALTER ROLE toystore PASSWORD '" + password + "'",
        _ -> store.processes().changePassword(password));
  }

  /// Ends the sessions of the store while commits wait for a standby, so that their outcome is in
  /// doubt, and lets no session begin for some seconds.
  private void loseCommits(String refusal, FaultStep<PatroniCluster> repair) throws Exception {
    List<PatroniNode> standbys = cluster.standbys();
    for (PatroniNode standby : standbys) {
      standby.freeze();
    }
    Conditions.await(() -> Integer.parseInt(cluster.execute(WAITING)) >= WRITERS);
    cluster.execute(refusal);
    cluster.execute(END_SESSIONS);
    pass();
    boolean isRepairedFirst = random.nextBoolean();
    if (isRepairedFirst) {
      repair.accept(cluster);
    }
    for (PatroniNode standby : standbys) {
      standby.thaw();
    }
    if (!isRepairedFirst) {
      repair.accept(cluster);
    }
    measured.measurePauses();
  }

  /// Changes settings for some seconds.
  void change(String settings, String repair) throws Exception {
    cluster.execute(settings);
    pass();
    cluster.execute(repair);
    measured.measurePauses();
  }

  /// Kills the primary after some seconds in which, by the role's setting, sessions of the store
  /// wait neither for the disk nor for a standby.
  void killAsynchronous() throws Exception {
    cluster.execute("ALTER ROLE toystore SET synchronous_commit = off;" + END_SESSIONS);
    pass();
    measured.measurePauses();
    PatroniNode primary = cluster.primary();
    PatroniNode.kill(primary.postgres());
    Conditions.await(() -> cluster.hasPrimaryOtherThan(primary));
    cluster.execute("ALTER ROLE toystore RESET synchronous_commit");
  }

  /// Waits for some seconds.
  private void pass() {
    long seconds = random.nextLong(MIN_SECONDS, MAX_SECONDS + 1L);
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(seconds);
    Conditions.await(() -> System.nanoTime() > end);
  }
}
