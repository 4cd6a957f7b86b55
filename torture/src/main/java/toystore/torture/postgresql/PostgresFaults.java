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
import java.util.stream.Collectors;
import java.util.stream.Stream;
import toystore.testkit.HttpBuyers;
import toystore.torture.MarketplaceBuyers;
import toystore.torture.PaymentLedger;
import toystore.torture.Trial;
import toystore.torture.TrialRound;

/// Kills, freezes and fills the disks of what a store on a PostgreSQL cluster consists of, while
/// clients buy, query and purchase with idempotency keys, which they repeat until they are
/// answered. After each fault the store is compared with what was acknowledged.
public final class PostgresFaults implements Trial {
  private static final int BUYERS = 12;
  private static final int READERS = 4;
  private static final int MARKETPLACE_BUYERS = 2;
  private static final int ROUNDS_OF_ALL = 2;

  private final Map<ClusterFault, List<Duration>> pauses = new EnumMap<>(ClusterFault.class);

  @Override
  public String name() {
    return "postgresql";
  }

  @Override
  public String unit() {
    return "faults";
  }

  @Override
  public long target() {
    return 104;
  }

  @Override
  public Optional<String> missing() {
    return PatroniCluster.missing();
  }

  @Override
  public long round(TrialRound round) throws Exception {
    var random = new Random(round.seed());
    List<ClusterFault> faults = sequence(round.quick(), random);
    int injected = 0;
    try (var cluster = new PatroniCluster(round.folder());
        var store = new StoreOnCluster(round.folder(), cluster.url());
        var purchases = new MarketplaceBuyers(round.folder(), store.frontends()[0]);
        var ledger = new PaymentLedger(store.paymentPort(), store.administratorToken())) {
      purchases.offerItems();
      long orders = 0;
      for (ClusterFault fault : faults) {
        if (fault == ClusterFault.DISK_FULL && !cluster.primary().canFillDisk()) {
          round.out().println("not injected: full disk (this user may not mount a file system)");
          continue;
        }
        try (var buyers = new HttpBuyers(round.folder(), orders, store.frontends())) {
          long before = orders;
          try (var readers =
              new ReadsOfStock(READERS, () -> before + buyers.bought(), store.frontends())) {
            buyers.buying(BUYERS);
            purchases.start(MARKETPLACE_BUYERS, random);
            Duration pause = new FaultInjection(cluster, store, buyers, random).pauseOf(fault);
            pauses.computeIfAbsent(fault, _ -> new ArrayList<>()).add(pause);
            readers.stop();
          }
          purchases.stop();
          buyers.stop();
          buyers.checkAgainst(store.frontends()[random.nextInt(2)]);
          orders += buyers.bought();
          injected++;
          round
              .out()
              .printf(
                  Locale.ROOT,
                  "%-58s %5.1f s, %d orders, %d purchases, no loss%n",
                  fault.description,
                  pauses.get(fault).getLast().toMillis() / 1e3,
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
        quick
            ? new ArrayList<>(ClusterFault.QUICK)
            : Stream.generate(() -> List.of(ClusterFault.values()))
                .limit(ROUNDS_OF_ALL)
                .flatMap(List::stream)
                .collect(Collectors.toCollection(ArrayList::new));
    Collections.shuffle(faults, random);
    return faults;
  }

  /// The faults of all rounds so far.
  private void print(PrintStream out) {
    out.printf(Locale.ROOT, "%n%-58s %6s %9s %9s%n", "fault", "count", "median s", "worst s");
    pauses.forEach((fault, times) -> {
      List<Duration> sorted = times.stream().sorted().toList();
      out.printf(
          Locale.ROOT,
          "%-58s %6d %9.1f %9.1f%n",
          fault.description,
          sorted.size(),
          sorted.get(sorted.size() / 2).toMillis() / 1e3,
          sorted.getLast().toMillis() / 1e3);
    });
  }
}
