package toystore.torture.postgresql;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import toystore.clients.ClientThreads;
import toystore.clients.HttpBuyers;
import toystore.clients.StoreHttpClient;
import toystore.torture.trial.MarketplaceBuyers;
import toystore.torture.trial.TrialRound;

/// Injects faults into what a store on a PostgreSQL cluster consists of, while clients buy, query,
/// purchase and trade. Some have no idempotency keys; the others repeat a request with its key
/// until it is answered. After each fault the store is compared with what was acknowledged.
public final class PostgresFaults {
  private static final int BUYERS = 5;
  private static final int KEYLESS_BUYERS = 3;
  private static final int MARKETPLACE_BUYERS = 2;
  private static final int TRADERS = 2;
  private static final int READERS = 4;

  private final Map<ClusterFault, List<Duration>> pauses = new EnumMap<>(ClusterFault.class);
  private long orders;
  private long keylessOrders;

  /// The reason why it cannot run on this machine.
  public static Optional<String> missing() {
    return PatroniCluster.missing();
  }

  public long round(TrialRound round) throws Exception {
    var random = new Random(round.seed());
    List<ClusterFault> faults = ClusterFault.named(round.faults(), round.quick());
    Collections.shuffle(faults, random);
    orders = 0;
    keylessOrders = 0;
    int injected = 0;
    try (var cluster = new PatroniCluster(round.folder());
        var store = new StoreOnCluster(round.folder(), cluster);
        var purchases = new MarketplaceBuyers(store.frontends())) {
      for (ClusterFault fault : faults) {
        if (fault == ClusterFault.DISK_FULL && !cluster.primary().canFillDisk()) {
          round.out().println("not injected: full disk (no permission to mount a file system)");
          continue;
        }
        round.print("%d of %d: %s", injected + 1, faults.size(), fault.option());
        inject(fault, round, cluster, store, purchases, random);
        injected++;
      }
    }
    print(round);
    return injected;
  }

  private void inject(
      ClusterFault fault,
      TrialRound round,
      PatroniCluster cluster,
      StoreOnCluster store,
      MarketplaceBuyers purchases,
      Random random)
      throws Exception {
    StoreHttpClient[] frontends = store.frontends();
    try (var buyers = new HttpBuyers(round.folder(), orders, frontends);
        var keyless = new KeylessBuyers(round.folder(), frontends);
        var traders = new HttpTraders(frontends, TRADERS, random)) {
      buyers.buying(BUYERS).asking(READERS, "query", "/products/Tux");
      keyless.start(KEYLESS_BUYERS);
      purchases.start(MARKETPLACE_BUYERS, random);
      List<ClientThreads> clients = List.of(buyers, keyless, traders, purchases);
      ClientThreads measured =
          switch (fault.service) {
            case "exchange" -> traders;
            case "account", "payment" -> purchases;
            default -> buyers;
          };
      Duration pause =
          new ClusterInjection(cluster, store, measured, clients, random).pauseOf(fault);
      pauses.computeIfAbsent(fault, _ -> new ArrayList<>()).add(pause);
      for (ClientThreads some : clients) {
        some.stop();
      }
      long purchased = store.check(purchases);
      StoreHttpClient frontend = frontends[random.nextInt(2)];
      long bought = keyless.check(frontend, keylessOrders);
      buyers.checkAgainst(frontend, KeylessBuyers.PRODUCT, keylessOrders, bought);
      orders += buyers.bought();
      keylessOrders += bought;
      round.print(
          "%-62s %5.1f s, %d orders, %d without keys, %d purchases, %d at the exchange, no loss",
          fault.description, seconds(pause), orders, keylessOrders, purchased, traders.check());
    }
  }

  /// The times of all rounds so far.
  private void print(TrialRound round) {
    round.print("%-62s %5s %9s %9s", "fault", "count", "median s", "worst s");
    pauses.forEach((fault, times) -> {
      Collections.sort(times);
      round.print(
          "%-62s %5d %9.1f %9.1f",
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
