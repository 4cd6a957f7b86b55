package toystore.torture;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import toystore.clients.Conditions;
import toystore.clients.HttpBuyers;
import toystore.clients.HttpBuyers.Timed;
import toystore.clients.StoreProcesses;
import toystore.platform.service.ExitCode;

/// The disk fails while clients buy: fsync or writes fail, the disk is full, or fsync is slow. A
/// power cut follows each fault, so that data that was reported as synced but was not is lost.
final class DiskFaults {
  private static final int BUYERS = 8;
  private static final long BUYS = 50;
  private static final long ROOM_BYTES = 4 << 20;

  /// The frontend's default.
  private static final Duration DEADLINE = Duration.ofSeconds(1);

  private final List<DiskFault> faults =
      List.of(
          new DiskFault("fsync fails in a commit", this::commitSyncFails),
          new DiskFault("fsync fails in a checkpoint", this::checkpointSyncFails),
          new DiskFault("fsync fails at startup", this::startSyncFails),
          new DiskFault("fsync of a folder fails at startup", this::folderSyncFails),
          new DiskFault("writes to the WAL fail", this::logWritesFail),
          new DiskFault("writes to the database fail", this::databaseWritesFail),
          new DiskFault("the disk is full", this::diskFull),
          new DiskFault("fsync is slow", this::slowSyncs));

  private record DiskFault(String name, FaultInjection injection) {}

  private interface FaultInjection {
    void inject(Setup setup) throws Exception;
  }

  /// A store whose catalog is on the disk, and clients that buy from it.
  private record Setup(
      FaultInjectingFileSystem disk, StoreProcesses store, HttpBuyers buyers, Random random) {
    Process catalog() {
      return store.process("catalog");
    }

    void startCatalog() throws IOException {
      store.start("catalog");
      Conditions.await(() -> {
        assertThat(catalog().isAlive())
            .as("catalog starts with the files left by the fault")
            .isTrue();
        return store.http("catalog").isReady() && store.http("frontend").isReady();
      });
    }

    void awaitBuys() throws IOException {
      long enough = buyers.bought() + BUYS;
      Conditions.await(() -> {
        assertThat(catalog().isAlive()).as("catalog process is alive").isTrue();
        return buyers.bought() >= enough;
      });
    }

    /// Waits until a buy is answered with this status.
    Timed awaitAnswer(int status) {
      Duration from = buyers.now();
      return Conditions.patiently()
          .until(
              () ->
                  buyers.requests("buy", from, buyers.now()).stream()
                      .filter(it -> it.status() == status)
                      .findFirst(),
              Optional::isPresent)
          .orElseThrow();
    }

    /// Queries are answered although the catalog cannot write.
    void awaitQuery() {
      Conditions.await(() -> store.http("frontend").get("/products/Tux").status() == 200);
    }

    void check() throws Exception {
      buyers.stop();
      buyers.checkAgainst(store.http("frontend"));
    }

    /// Waits until the catalog has exited because the disk failed.
    void awaitEnd() throws InterruptedException {
      assertThat(catalog().waitFor(60, TimeUnit.SECONDS))
          .as("the catalog exits after a failed sync, because the contents of the disk are unknown")
          .isTrue();
      assertThat(catalog().exitValue()).as("exit code").isEqualTo(ExitCode.DISK_FAILED);
    }

    void losePower() throws Exception {
      store.kill("catalog");
      disk.cut(random.nextBoolean(), random.nextLong());
    }

    void awaitFault(long before) throws IOException {
      Conditions.await(() -> disk.counted("faults") > before);
    }
  }

  long round(TrialRound round) throws Exception {
    var random = new Random(round.seed());
    List<DiskFault> order = new ArrayList<>(faults);
    Collections.shuffle(order, random);
    try (var disk = FaultInjectingFileSystem.mount(round.folder().resolve("disk"));
        var store = new StoreProcesses(round.folder());
        var buyers = new HttpBuyers(round.folder(), 0, store.http("frontend"))) {
      store.with("catalog", "toystore.data", disk.folder().resolve("data").toString());
      store.with("frontend", "toystore.frontend.reads", "direct");
      for (String service : StoreProcesses.SERVICES) { // the catalog has a data folder of its own
        store.with(
            service, "toystore.admin-token-file", round.folder().resolve("admin-token").toString());
      }
      store.startAll("catalog", "order", "frontend");
      var setup = new Setup(disk, store, buyers, random);
      for (DiskFault fault : order) {
        buyers.buying(BUYERS);
        try {
          setup.awaitBuys();
          fault.injection().inject(setup);
          setup.losePower();
          setup.startCatalog();
          setup.check();
        } catch (AssertionError | RuntimeException e) {
          throw new AssertionError(fault.name() + ": " + e.getMessage(), e);
        }
        round
            .out()
            .printf(
                Locale.ROOT,
                "%s: %d buys acknowledged, all guarantees held%n",
                fault.name(),
                buyers.bought());
      }
    }
    return order.size();
  }

  private void commitSyncFails(Setup setup) throws Exception {
    setup
        .disk()
        .tell(String.format(Locale.ROOT, "fail-sync %d -wal", 1 + setup.random().nextInt(20)));
    setup.awaitEnd();
  }

  private void checkpointSyncFails(Setup setup) throws Exception {
    setup.disk().tell("fail-sync 1 .db");
    setup.awaitEnd();
  }

  /// Kills the catalog first, so that there is a log to sync at startup.
  private void startSyncFails(Setup setup) throws Exception {
    setup.store().kill("catalog");
    setup.disk().tell("fail-sync 1");
    setup.store().start("catalog");
    setup.awaitEnd();
  }

  private void folderSyncFails(Setup setup) throws Exception {
    setup.store().kill("catalog");
    setup.disk().tell("fail-folder-syncs");
    setup.store().start("catalog");
    setup.awaitEnd();
  }

  private void logWritesFail(Setup setup) throws Exception {
    long before = setup.disk().counted("faults");
    setup.disk().tell("fail-writes -wal");
    setup.awaitFault(before);
    setup.awaitAnswer(503);
    setup.awaitQuery();
    setup.disk().tell("heal");
    setup.awaitBuys();
  }

  /// Only checkpoints write to the database file; sales are written to the log.
  private void databaseWritesFail(Setup setup) throws Exception {
    long before = setup.disk().counted("faults");
    setup.disk().tell("fail-writes .db");
    setup.awaitFault(before);
    setup.awaitBuys();
    setup.disk().tell("heal");
    setup.awaitBuys();
  }

  /// The disk becomes full while the catalog runs; then the catalog starts on a full disk.
  private void diskFull(Setup setup) throws Exception {
    setup.disk().tell("full 0");
    Conditions.await(() -> setup.disk().counted("faults") > 0);
    setup.awaitAnswer(503);
    setup.awaitQuery();
    setup.store().kill("catalog");
    setup.disk().tell("full 0");
    setup.startCatalog();
    setup.awaitQuery();
    setup.disk().tell("full " + ROOM_BYTES);
    setup.awaitBuys();
    setup.disk().tell("heal");
    Conditions.await(() -> Files.exists(setup.disk().folder().resolve("data/catalog/reserve")));
  }

  private void slowSyncs(Setup setup) throws Exception {
    setup.disk().tell("slow-sync 1500");
    assertThat(setup.awaitAnswer(504).took()).isLessThan(DEADLINE.multipliedBy(3));
    setup.disk().tell("heal");
    setup.awaitBuys();
  }
}
