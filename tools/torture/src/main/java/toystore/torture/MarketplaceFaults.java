package toystore.torture;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import toystore.testkit.Conditions;
import toystore.testkit.HttpBuyers;
import toystore.testkit.HttpTestClient;
import toystore.testkit.StoreProcesses;

/// Kills of all services, or power cuts of their disk, while buyers buy on the marketplace and
/// others in the store. The payment sandbox is slow at times and loses answers.
final class MarketplaceFaults implements Trial {
  private static final List<String> ON_DISK = List.of("catalog", "account", "payment", "order");
  private static final List<String> KILLED =
      Stream.concat(ON_DISK.stream(), Stream.of("frontend")).toList();
  private static final int BUYERS = 6;
  private static final int PURCHASES = 15;
  private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(8);

  private final boolean powerCuts;

  MarketplaceFaults(boolean powerCuts) {
    this.powerCuts = powerCuts;
  }

  @Override
  public String name() {
    return powerCuts ? "purchase-power-cuts" : "purchases";
  }

  @Override
  public String unit() {
    return powerCuts ? "power cuts" : "kills";
  }

  @Override
  public long target() {
    return powerCuts ? 100 : 200;
  }

  @Override
  public Optional<String> missing() {
    return powerCuts ? FaultInjectingFileSystem.missing() : Optional.empty();
  }

  private int count(boolean quick) {
    return powerCuts ? (quick ? 3 : 10) : 20;
  }

  @Override
  public long round(TrialRound round) throws Exception {
    var random = new Random(round.seed());
    int injected = 0;
    try (var disk = powerCuts ? mount(round) : null;
        var store = new StoreProcesses(round.folder())) {
      store.with("order", "toystore.order.payment-deadline", "1s");
      Path data = (disk == null ? round.folder() : disk.folder()).resolve("data");
      for (String service : ON_DISK) {
        store.with(service, "toystore.data", data.toString());
        store.start(service);
        Conditions.await(store.http(service)::isReady);
      }
      Path token = Files.createDirectories(round.folder().resolve("data")).resolve("admin-token");
      if (disk != null) {
        Files.copy(data.resolve("admin-token"), token);
      }
      store.startAll("frontend");
      HttpTestClient http = store.http("frontend");
      var services = new ServiceKills(store, KILLED, random);
      try (var ledger = new PaymentLedger(store.port("payment"), token);
          var buyers =
              new MarketplaceBuyers(round.folder(), http).offerItems().start(BUYERS, random);
          var others = new HttpBuyers(round.folder(), 0, http).buying(2)) {
        while (injected < count(round.quick())) {
          ledger.injectFaults(random);
          long moment = buyers.attempts() + random.nextInt(PURCHASES);
          long latest = System.nanoTime() + PATIENCE_NANOS;
          Conditions.await(() -> buyers.attempts() >= moment || System.nanoTime() > latest);
          injected += disk == null ? services.killAndRestart() : cut(store, disk, random);
        }
        services.awaitReady();
        ledger.heal();
        buyers.stop();
        others.stop();
        long purchases = buyers.check(ledger);
        others.checkAgainst(http);
        round
            .out()
            .printf(
                Locale.ROOT,
                "%d purchases and %d orders acknowledged, %d %s, no loss%n",
                purchases,
                others.bought(),
                injected,
                unit());
      }
    }
    return injected;
  }

  private static FaultInjectingFileSystem mount(TrialRound round) throws IOException {
    return FaultInjectingFileSystem.mount(round.folder().resolve("disk"));
  }

  private static int cut(StoreProcesses store, FaultInjectingFileSystem disk, Random random)
      throws Exception {
    PowerCuts.fail(store, ON_DISK, disk, random);
    if (random.nextInt(4) > 0) { // otherwise the next power cut happens during the start
      ON_DISK.forEach(it -> Conditions.await(store.http(it)::isReady));
    }
    return 1;
  }
}
