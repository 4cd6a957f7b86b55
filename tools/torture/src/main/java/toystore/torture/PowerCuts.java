package toystore.torture;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Random;
import toystore.testkit.Conditions;
import toystore.testkit.GrpcTestClient;
import toystore.testkit.StoreProcesses;

/// Power cuts while clients buy: at a random write to the disk (of a sale, a checkpoint or a start)
/// all processes are killed and all data that was not synced is lost. Then the services are started
/// again.
///
/// Clients buy directly from the catalog. With every fourth seed an order service on the same disk
/// follows the catalog.
final class PowerCuts implements Trial {
  private static final int QUICK = 3;
  private static final int CUTS = 20;
  private static final int WRITES = 1_200;
  private static final int BUYERS = 12;

  @Override
  public String name() {
    return "power-cuts";
  }

  @Override
  public String unit() {
    return "power cuts";
  }

  @Override
  public long target() {
    return 300;
  }

  @Override
  public Optional<String> missing() {
    return FaultInjectingFileSystem.missing();
  }

  @Override
  public long round(TrialRound round) throws Exception {
    var random = new Random(round.seed());
    int cuts = round.quick() ? QUICK : CUTS;
    List<String> services =
        round.seed() % 4 == 0 ? List.of("catalog", "order") : List.of("catalog");
    try (var disk = FaultInjectingFileSystem.mount(round.folder().resolve("disk"));
        var store = new StoreProcesses(round.folder());
        var buyers = new CatalogBuyers(round.folder(), store.port("catalog"))) {
      for (String service : services) {
        store.with(service, "toystore.data", disk.folder().resolve("data").toString());
        store.start(service);
      }
      buyers.start(BUYERS);
      for (int cut = 0; cut < cuts; cut++) {
        if (random.nextInt(8) > 0) { // otherwise the next power cut happens during the start
          buyers.awaitAnswers(store.process("catalog"));
          buyers.check(random);
        }
        fail(store, services, disk, random);
      }
      buyers.awaitAnswers(store.process("catalog"));
      buyers.stop();
      buyers.check(random);
      if (services.contains("order")) {
        Conditions.await(store.http("order")::isReady);
        try (var orders = new GrpcTestClient(store.port("order"))) {
          Conditions.patiently().untilAsserted(() -> assertThat(orders.faults()).isEmpty());
        }
      }
      round
          .out()
          .printf(
              Locale.ROOT,
              "%d buys acknowledged, %d power cuts of %s, no loss%n",
              buyers.bought(),
              cuts,
              String.join(" and ", services));
    }
    return cuts;
  }

  /// Cuts the power of the services at a random write to the disk, and starts them again.
  static void fail(
      StoreProcesses store, List<String> services, FaultInjectingFileSystem disk, Random random)
      throws Exception {
    long moment = disk.counted("writes") + random.nextInt(WRITES);
    Conditions.await(() -> disk.counted("writes") >= moment || !isUp(store, services));
    assertThat(isUp(store, services)).as("%s are alive until the power cut", services).isTrue();
    for (String service : services) {
      store.kill(service);
    }
    disk.cut(random.nextInt(3) > 0, random.nextLong());
    for (String service : services) {
      store.start(service);
    }
  }

  private static boolean isUp(StoreProcesses store, List<String> services) {
    return services.stream().allMatch(service -> store.process(service).isAlive());
  }
}
