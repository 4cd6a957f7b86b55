package toystore.torture;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import toystore.testkit.Conditions;
import toystore.testkit.StoreProcesses;

/// Kills of the exchange (SIGKILL), or power cuts of its disk, while clients place, query and
/// cancel orders, over XML without keys and over gRPC with keys.
final class ExchangeFaults implements Trial {
  private static final String EXCHANGE = "exchange";
  private static final int XML_TRADERS = 4;
  private static final int RPC_TRADERS = 2;
  private static final int QUICK = 3;
  private static final int FAULTS = 10;
  private static final int ANSWERS = 120;
  private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(5);

  private final boolean powerCuts;

  ExchangeFaults(boolean powerCuts) {
    this.powerCuts = powerCuts;
  }

  @Override
  public String name() {
    return powerCuts ? "exchange-power-cuts" : EXCHANGE;
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

  @Override
  public long round(TrialRound round) throws Exception {
    var random = new Random(round.seed());
    int injected = 0;
    try (var disk = powerCuts ? mount(round) : null;
        var store = new StoreProcesses(round.folder())) {
      Path data = (disk == null ? round.folder() : disk.folder()).resolve("data");
      store.with(EXCHANGE, "toystore.data", data.toString()).start(EXCHANGE);
      var services = new ServiceKills(store, List.of(EXCHANGE), random);
      services.awaitReady();
      try (var traders =
          new ExchangeTraders(store, data.resolve("admin-token"))
              .start(XML_TRADERS, RPC_TRADERS, random)) {
        while (injected < (round.quick() ? QUICK : FAULTS)) {
          long moment = traders.answers() + random.nextInt(ANSWERS);
          long latest = System.nanoTime() + PATIENCE_NANOS;
          Conditions.await(() -> traders.answers() >= moment || System.nanoTime() > latest);
          injected += disk == null ? services.killAndRestart() : cut(services, disk, random);
        }
        services.awaitReady();
        traders.stop();
        round.out().printf(Locale.ROOT, "%s, %d %s, no loss%n", traders.check(), injected, unit());
      }
    }
    return injected;
  }

  private static FaultInjectingFileSystem mount(TrialRound round) throws IOException {
    return FaultInjectingFileSystem.mount(round.folder().resolve("disk"));
  }

  private static int cut(ServiceKills services, FaultInjectingFileSystem disk, Random random)
      throws Exception {
    PowerCuts.fail(services.store(), services.services(), disk, random);
    if (random.nextInt(4) > 0) { // otherwise the next power cut happens during the start
      services.awaitReady();
    }
    return 1;
  }
}
