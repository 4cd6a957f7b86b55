package toystore.torture.postgresql;

import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import toystore.clients.Conditions;
import toystore.clients.HttpBuyers;
import toystore.clients.StoreProcesses;

/// Injects faults, waits until the store sells again, and repairs what is broken. One thread.
record FaultInjection(
    PatroniCluster cluster, StoreOnCluster store, HttpBuyers buyers, Random random) {
  private static final int BUYS = 50;
  private static final Duration SELLS_WITHIN = Duration.ofSeconds(120);

  /// A part of a fault or of its repair.
  @FunctionalInterface
  interface FaultStep<T> {
    void accept(T victim) throws Exception;
  }

  /// Injects a fault and waits until all is repaired.
  ///
  /// @return the longest time from the fault on in which no buy was acknowledged
  Duration pauseOf(ClusterFault fault) throws Exception {
    awaitBuys();
    Duration from = buyers.now();
    StoreProcesses processes = store.processes();
    switch (fault) {
      case DATABASE_KILLED -> PatroniNode.kill(cluster.primary().postgres());
      case NODE_KILLED -> losePrimary(it -> PatroniNode.kill(it.processes()), PatroniNode::start);
      case NODE_FROZEN -> losePrimary(PatroniNode::freeze, PatroniNode::thaw);
      case DISK_FULL -> {
        PatroniNode primary = cluster.primary();
        primary.fillDisk();
        awaitRefusal(from); // PostgreSQL stays the primary and refuses rows
        primary.freeDisk();
        from = buyers.now();
      }
      case CATALOG_KILLED -> killActive("catalog");
      case ORDER_KILLED -> killActive("order");
      case CATALOG_FROZEN ->
          loseActive(
              "catalog",
              processes::freeze,
              it -> {
                processes.thaw(it);
                store.awaitEnd(it);
              });
      case FRONTEND_KILLED -> {
        String frontend = random.nextBoolean() ? "frontend" : "frontend2";
        processes.kill(frontend);
        awaitBuys();
        processes.start(frontend);
      }
    }
    awaitBuys();
    cluster.awaitHealthy();
    store.awaitAll();
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

  private void awaitRefusal(Duration from) {
    Conditions.await(() ->
        buyers.requests("buy", from, buyers.now()).stream().anyMatch(it -> it.status() == 503));
  }

  private void losePrimary(FaultStep<PatroniNode> loss, FaultStep<PatroniNode> repair)
      throws Exception {
    PatroniNode primary = cluster.primary();
    loss.accept(primary);
    Conditions.await(() -> cluster.hasPrimaryOtherThan(primary));
    awaitBuys();
    repair.accept(primary);
  }

  private void killActive(String service) throws Exception {
    loseActive(service, store.processes()::kill, store.processes()::start);
  }

  private void loseActive(String service, FaultStep<String> loss, FaultStep<String> repair)
      throws Exception {
    String active = store.active(service);
    loss.accept(active);
    store.awaitTakeover(service, active);
    awaitBuys();
    repair.accept(active);
  }

  private Duration longestPause(Duration from) {
    List<Duration> answers =
        buyers.requests("buy", Duration.ZERO, buyers.now()).stream()
            .filter(it -> it.status() == 200)
            .map(it -> it.at().plus(it.took()))
            .filter(it -> it.compareTo(from) > 0)
            .sorted()
            .toList();
    Duration longest = Duration.ZERO;
    Duration last = from;
    for (Duration answer : answers) {
      longest = Collections.max(List.of(longest, answer.minus(last)));
      last = answer;
    }
    return longest;
  }
}
