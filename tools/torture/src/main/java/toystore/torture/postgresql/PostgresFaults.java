package toystore.torture.postgresql;

import java.io.PrintStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import toystore.clients.HttpBuyers;
import toystore.clients.HttpTestClient;
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

  private final Map<ClusterFault, List<Duration>> pauses = new EnumMap<>(ClusterFault.class);

  /// The reason why it cannot run on this machine.
  public static Optional<String> missing() {
    return PatroniCluster.missing();
  }

  public long round(TrialRound round) throws Exception {
    var random = new Random(round.seed());
    int injected = 0;
    long orders = 0;
    try (var cluster = new PatroniCluster(round.folder());
        var store = new StoreOnCluster(round.folder(), cluster.url());
        var purchases = new MarketplaceBuyers(store.http("frontend"));
        var ledger = new PaymentLedger(store.processes().port("payment"), store.token())) {
      purchases.offerItems();
      HttpTestClient[] frontends = {store.http("frontend"), store.http("frontend2")};
      for (ClusterFault fault : sequence(round.quick(), random)) {
        if (fault == ClusterFault.DISK_FULL && !cluster.primary().canFillDisk()) {
          round.out().println("not injected: full disk (no permission to mount a file system)");
          continue;
        }
        try (var buyers = new HttpBuyers(round.folder(), orders, frontends)) {
          buyers.buying(BUYERS).asking(READERS, "query", "/products/Tux");
          purchases.start(MARKETPLACE_BUYERS, random);
          Duration pause = new FaultInjection(cluster, store, buyers, random).pauseOf(fault);
          pauses.computeIfAbsent(fault, _ -> new ArrayList<>()).add(pause);
          purchases.stop();
          buyers.stop();
          buyers.checkAgainst(frontends[random.nextInt(2)]);
          orders += buyers.bought();
          injected++;
          round
              .out()
              .printf(
                  Locale.ROOT,
                  "%-58s %5.1f s, %d orders, %d purchases, no loss%n",
                  fault.description,
                  seconds(pause),
                  orders,
                  purchases.check(ledger));
        }
      }
    }
    print(round.out());
    return injected;
  }

  private static List<ClusterFault> sequence(boolean quick, Random random) {
    List<ClusterFault> faults =
        new ArrayList<>(quick ? ClusterFault.QUICK : List.of(ClusterFault.values()));
    Collections.shuffle(faults, random);
    return faults;
  }

  /// The times of all rounds so far.
  private void print(PrintStream out) {
    out.printf(Locale.ROOT, "%-58s %6s %9s %9s%n", "fault", "count", "median s", "worst s");
    pauses.forEach((fault, times) -> {
      Collections.sort(times);
      out.printf(
          Locale.ROOT,
          "%-58s %6d %9.1f %9.1f%n",
          fault.description,
          times.size(),
          seconds(times.get(times.size() / 2)),
          seconds(times.getLast()));
    });
  }

  private static double seconds(Duration time) {
    return time.toMillis() / 1e3;
  }
}
