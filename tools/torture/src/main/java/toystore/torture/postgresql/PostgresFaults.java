package toystore.torture.postgresql;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import toystore.clients.Conditions;
import toystore.clients.HttpBuyers;
import toystore.clients.HttpTestClient;
import toystore.clients.StoreProcesses;
import toystore.torture.MarketplaceBuyers;
import toystore.torture.PaymentLedger;
import toystore.torture.TrialRound;

/// Kills, freezes and fills the disks of what a store on a PostgreSQL cluster consists of, while
/// clients buy, query and purchase with idempotency keys, which they repeat until they are
/// answered. After each fault the store is compared with what was acknowledged.
public final class PostgresFaults {
  private static final int BUYERS = 12;
  private static final int READERS = 4;
  private static final int MARKETPLACE_BUYERS = 2;
  private static final int BUYS = 50;
  private static final Duration SELLS_WITHIN = Duration.ofSeconds(120);

  private final Map<ClusterFault, List<Duration>> pauses = new EnumMap<>(ClusterFault.class);

  /// A fault of the cluster, or of a process of the store that uses it.
  private enum ClusterFault {
    DATABASE_KILLED("kill -9 of the primary's PostgreSQL", true),
    NODE_KILLED("kill -9 of the primary's PostgreSQL and Patroni", false),
    NODE_FROZEN("SIGSTOP of both past the takeover, SIGCONT", false),
    DISK_FULL("full disk of the primary, from when it is freed", false),
    CATALOG_KILLED("kill -9 of the active catalog", true),
    CATALOG_FROZEN("SIGSTOP of the active catalog past the takeover, SIGCONT", true),
    ORDER_KILLED("kill -9 of the active order service", true),
    FRONTEND_KILLED("kill -9 of a frontend", true);

    final String description;

    /// Whether it takes a few seconds only.
    final boolean quick;

    ClusterFault(String description, boolean quick) {
      this.description = description;
      this.quick = quick;
    }
  }

  /// The reason why it cannot run on this machine.
  public static Optional<String> missing() {
    return PatroniCluster.missing();
  }

  public long round(TrialRound round) throws Exception {
    var random = new Random(round.seed());
    List<ClusterFault> faults = new ArrayList<>(List.of(ClusterFault.values()));
    faults.removeIf(it -> round.quick() && !it.quick);
    Collections.shuffle(faults, random);
    int injected = 0;
    long orders = 0;
    try (var cluster = new PatroniCluster(round.folder());
        var store = new StoreOnCluster(round.folder(), cluster.url());
        var purchases = new MarketplaceBuyers(store.processes().http("frontend"));
        var ledger = new PaymentLedger(store.processes().grpc("payment"))) {
      HttpTestClient[] frontends = {
        store.processes().http("frontend"), store.processes().http("frontend2")
      };
      for (ClusterFault fault : faults) {
        if (fault == ClusterFault.DISK_FULL && !cluster.primary().canFillDisk()) {
          round.out().println("not injected: full disk (no permission to mount a file system)");
          continue;
        }
        try (var buyers = new HttpBuyers(round.folder(), orders, frontends)) {
          buyers.buying(BUYERS).asking(READERS, "query", "/products/Tux");
          purchases.start(MARKETPLACE_BUYERS, random);
          Duration pause = new ClusterInjection(cluster, store, buyers, random).pauseOf(fault);
          pauses.computeIfAbsent(fault, _ -> new ArrayList<>()).add(pause);
          purchases.stop();
          buyers.stop();
          buyers.checkAgainst(frontends[random.nextInt(2)]);
          orders += buyers.bought();
          injected++;
          round.print(
              "%-58s %5.1f s, %d orders, %d purchases, no loss",
              fault.description, seconds(pause), orders, purchases.check(ledger));
        }
      }
    }
    print(round);
    return injected;
  }

  /// The times of all rounds so far.
  private void print(TrialRound round) {
    round.print("%-58s %6s %9s %9s", "fault", "count", "median s", "worst s");
    pauses.forEach((fault, times) -> {
      Collections.sort(times);
      round.print(
          "%-58s %6d %9.1f %9.1f",
          fault.description,
          times.size(),
          seconds(times.get(times.size() / 2)),
          seconds(times.getLast()));
    });
  }

  private static double seconds(Duration time) {
    return time.toMillis() / 1e3;
  }

  /// A part of a fault or of its repair.
  @FunctionalInterface
  private interface FaultStep<T> {
    void accept(T victim) throws Exception;
  }

  /// Injects a fault, waits until the store sells again, and repairs what is broken.
  private record ClusterInjection(
      PatroniCluster cluster, StoreOnCluster store, HttpBuyers buyers, Random random) {
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
        case CATALOG_KILLED -> loseActive("catalog", processes::kill, processes::start);
        case ORDER_KILLED -> loseActive("order", processes::kill, processes::start);
        case CATALOG_FROZEN -> loseActive("catalog", processes::freeze, store::thawAndAwaitEnd);
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

    private void loseActive(String service, FaultStep<String> loss, FaultStep<String> repair)
        throws Exception {
      String active = store.active(service);
      loss.accept(active);
      store.awaitTakeover(service, active);
      awaitBuys();
      repair.accept(active);
    }

    private Duration longestPause(Duration from) {
      List<Duration> answers = new ArrayList<>(List.of(from));
      buyers.requests("buy", Duration.ZERO, buyers.now()).stream()
          .filter(it -> it.status() == 200)
          .map(it -> it.at().plus(it.took()))
          .filter(it -> it.compareTo(from) > 0)
          .sorted()
          .forEach(answers::add);
      Duration longest = Duration.ZERO;
      for (int i = 1; i < answers.size(); i++) {
        longest = Collections.max(List.of(longest, answers.get(i).minus(answers.get(i - 1))));
      }
      return longest;
    }
  }
}
