package toystore.torture;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import toystore.clients.Conditions;
import toystore.clients.HttpBuyers;
import toystore.clients.StoreProcesses;
import toystore.torture.crash.CrashPoint;

/// Each service kills itself at each point of a buy where a crash could leave the order incomplete,
/// while clients buy.
final class CrashPointKills {
  private static final int PASSAGES = 30;
  private static final int QUICK_PASSAGES = 8;
  private static final List<Kill> KILLS =
      List.of(
          new Kill("catalog", CrashPoint.BEFORE_COMMIT),
          new Kill("catalog", CrashPoint.BEFORE_PUBLISHING),
          new Kill("catalog", CrashPoint.BEFORE_ANSWER),
          new Kill("order", CrashPoint.BEFORE_ANSWER),
          new Kill("frontend", CrashPoint.BEFORE_ANSWER));

  private record Kill(String service, CrashPoint point) {}

  private CrashPointKills() {}

  static long round(TrialRound round) throws Exception {
    var random = new Random(round.seed());
    List<Kill> order = new ArrayList<>(KILLS);
    Collections.shuffle(order, random);
    try (var store = StoreProcesses.start(round.folder(), "catalog", "order", "frontend");
        var buyers = new HttpBuyers(round.folder(), 0, store.http("frontend")).buying(8)) {
      var services = new CrashingServices(store, random, round.quick() ? QUICK_PASSAGES : PASSAGES);
      for (Kill kill : order) {
        store.kill(kill.service);
        services.start(kill.service, kill.point);
        Conditions.await(() -> services.isDead(kill.service));
        services.start(kill.service, null);
      }
      Conditions.await(store.http("frontend")::isReady);
      buyers.stop();
      buyers.checkAgainst(store.http("frontend"));
      round
          .out()
          .printf(
              Locale.ROOT,
              "%d buys acknowledged, killed at %d crash points, no loss%n",
              buyers.bought(),
              order.size());
    }
    return order.size();
  }
}
