package toystore.torture;

import java.util.List;
import java.util.Locale;
import java.util.Random;
import toystore.testkit.Conditions;
import toystore.testkit.HttpBuyers;
import toystore.testkit.StoreProcesses;

/// Kills one of the three services (SIGKILL) at a random moment, or two at once, and restarts them,
/// repeatedly, while clients buy.
final class RandomKills implements Trial {
  private static final List<String> SERVICES = List.of("catalog", "order", "frontend");
  private static final int QUICK = 4;
  private static final int KILLS = 30;
  private static final int BUYS = 60;

  @Override
  public String name() {
    return "random-kills";
  }

  @Override
  public String unit() {
    return "kills";
  }

  @Override
  public long target() {
    return 300;
  }

  @Override
  public long round(TrialRound round) throws Exception {
    var random = new Random(round.seed());
    int kills = 0;
    try (var store = StoreProcesses.start(round.folder(), "catalog", "order", "frontend");
        var buyers = new HttpBuyers(round.folder(), 0, store.http("frontend")).buying(8)) {
      var services = new ServiceKills(store, SERVICES, random);
      while (kills < (round.quick() ? QUICK : KILLS)) {
        long moment = buyers.bought() + random.nextInt(BUYS);
        Conditions.await(() -> buyers.bought() >= moment);
        kills += services.killAndRestart();
      }
      services.awaitReady();
      buyers.stop();
      buyers.checkAgainst(store.http("frontend"));
      round
          .out()
          .printf(
              Locale.ROOT,
              "%d buys acknowledged, %d processes killed, no loss%n",
              buyers.bought(),
              kills);
    }
    return kills;
  }
}
