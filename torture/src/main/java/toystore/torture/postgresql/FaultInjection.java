package toystore.torture.postgresql;

import java.io.IOException;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Random;
import java.util.stream.Stream;
import org.awaitility.core.ConditionTimeoutException;
import toystore.testkit.Conditions;
import toystore.testkit.HttpBuyers;
import toystore.testkit.StoreProcesses;

/// Injects faults, waits until the store sells again, and repairs what is broken. One thread.
record FaultInjection(
    PatroniCluster cluster, StoreOnCluster store, HttpBuyers buyers, Random random) {
  private static final int BUYS = 50;
  private static final Duration SELLS_WITHIN = Duration.ofSeconds(120);
  private static final Duration FAILS_OVER_WITHIN = Duration.ofSeconds(60);

  /// Injects a fault and waits until all is repaired.
  ///
  /// @return the longest time from the fault on in which no buy was acknowledged
  Duration pauseOf(ClusterFault fault) throws Exception {
    awaitBuys();
    Duration from = buyers.now();
    switch (fault) {
      case DATABASE_KILLED -> killDatabase();
      case NODE_KILLED -> killNode();
      case NODE_FROZEN -> freezeNode();
      case DISK_FULL -> fillDisk();
      case CATALOG_KILLED -> killActive("catalog");
      case CATALOG_FROZEN -> freezeActive("catalog");
      case ORDER_KILLED -> killActive("order");
      case FRONTEND_KILLED -> {
        String frontend = StoreOnCluster.FRONTENDS.get(random.nextInt(2));
        store.processes().kill(frontend);
        awaitBuys();
        store.processes().start(frontend);
      }
    }
    awaitBuys();
    cluster.awaitHealthy();
    store.awaitPairs();
    awaitBuys();
    return longestPause(from);
  }

  private void awaitBuys() {
    long enough = buyers.bought() + BUYS;
    Conditions.patiently()
        .atMost(SELLS_WITHIN)
        .until(() -> {
          store.restartEnded();
          return buyers.bought() >= enough;
        });
  }

  private void killDatabase() {
    PatroniNode primary = cluster.primary();
    PatroniNode.kill(primary.postgres());
  }

  private void killNode() throws IOException {
    PatroniNode primary = cluster.primary();
    PatroniNode.kill(primary.processes());
    awaitFailover(primary);
    awaitBuys();
    primary.start();
  }

  private void freezeNode() throws IOException {
    PatroniNode primary = cluster.primary();
    primary.freeze();
    awaitFailover(primary);
    awaitBuys();
    primary.thaw();
  }

  private void awaitFailover(PatroniNode primary) {
    Conditions.patiently()
        .atMost(FAILS_OVER_WITHIN)
        .until(() -> cluster.hasPrimaryOtherThan(primary));
  }

  /// Frees the disk after a failover, or after a time: errors of single writes are no reason for
  /// one.
  private void fillDisk() throws IOException {
    PatroniNode primary = cluster.primary();
    primary.fillDisk();
    try {
      Conditions.patiently()
          .atMost(FAILS_OVER_WITHIN)
          .until(() -> {
            switchLog(primary);
            return cluster.hasPrimaryOtherThan(primary);
          });
      awaitBuys();
    } catch (ConditionTimeoutException noFailover) {
      // the store sells again when the disk is freed
    }
    primary.freeDisk();
  }

  private static void switchLog(PatroniNode primary) {
    try {
      primary.switchLog();
    } catch (SQLException failed) {
      // has failed for lack of space
    }
  }

  private void killActive(String service) throws Exception {
    String active = store.active(service);
    StoreProcesses processes = store.processes();
    processes.kill(active);
    store.awaitTakeover(service, active);
    awaitBuys();
    processes.start(active);
  }

  private void freezeActive(String service) throws Exception {
    String active = store.active(service);
    StoreProcesses processes = store.processes();
    processes.freeze(active);
    store.awaitTakeover(service, active);
    awaitBuys();
    processes.thaw(active);
    store.awaitEnd(active);
  }

  private Duration longestPause(Duration from) {
    Stream<Duration> answers =
        buyers.requests("buy", Duration.ZERO, buyers.now()).stream()
            .filter(it -> it.status() == 200)
            .map(it -> it.at().plus(it.took()))
            .filter(it -> it.compareTo(from) > 0)
            .sorted();
    Duration longest = Duration.ZERO;
    Duration last = from;
    for (Duration answer : (Iterable<Duration>) answers::iterator) {
      Duration pause = answer.minus(last);
      longest = pause.compareTo(longest) > 0 ? pause : longest;
      last = answer;
    }
    return longest;
  }
}
