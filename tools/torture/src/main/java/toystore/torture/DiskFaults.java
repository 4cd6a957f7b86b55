package toystore.torture;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import toystore.clients.Conditions;
import toystore.clients.HttpBuyers;
import toystore.clients.HttpBuyers.Timed;
import toystore.clients.StoreProcesses;
import toystore.platform.service.ExitCode;
import toystore.torture.trial.TrialRound;

/// The disk fails while clients buy: fsync or writes fail, the disk is full, or fsync is slow. A
/// power cut follows each fault, so that data that was reported as synced but was not is lost. Only
/// the catalog is on the disk.
record DiskFaults(
    FaultInjectingFileSystem disk, StoreProcesses store, HttpBuyers buyers, Random random) {
  private static final int BUYERS = 8;
  private static final long BUYS = 50;
  private static final long ROOM_BYTES = 4 << 20;

  /// The frontend's default.
  private static final Duration DEADLINE = Duration.ofSeconds(1);

  private static final List<DiskFault> FAULTS =
      List.of(
          new DiskFault("fsync fails in a commit", DiskFaults::commitSyncFails),
          new DiskFault("fsync fails in a checkpoint", it -> it.syncFails("fail-sync 1 .db")),
          // the catalog is killed first, so that there is a log to sync at startup
          new DiskFault("fsync fails at startup", it -> it.startFails("fail-sync 1")),
          new DiskFault(
              "fsync of a folder fails at startup", it -> it.startFails("fail-folder-syncs")),
          new DiskFault("writes to the WAL fail", DiskFaults::logWritesFail),
          new DiskFault("writes to the database fail", DiskFaults::databaseWritesFail),
          new DiskFault("the disk is full", DiskFaults::diskFull),
          new DiskFault("fsync is slow", DiskFaults::slowSyncs));

  private record DiskFault(String name, FaultInjection injection) {}

  private interface FaultInjection {
    void inject(DiskFaults faults) throws Exception;
  }

  static long round(TrialRound round) throws Exception {
    var random = new Random(round.seed());
    List<DiskFault> order = new ArrayList<>(FAULTS);
    Collections.shuffle(order, random);
    try (var disk = FaultInjectingFileSystem.mount(round.folder().resolve("disk"));
        var store = new StoreProcesses(round.folder());
        var buyers = new HttpBuyers(round.folder(), 0, store.http("frontend"))) {
      store.with("catalog", "toystore.data", disk.folder().resolve("data").toString());
      store.with("frontend", "toystore.frontend.reads", "direct");
      store.startAll("catalog", "order", "frontend");
      var faults = new DiskFaults(disk, store, buyers, random);
      for (DiskFault fault : order) {
        try {
          faults.injectAndCheck(fault.injection);
        } catch (AssertionError | RuntimeException e) {
          throw new AssertionError(fault.name + ": " + e.getMessage(), e);
        }
        round.print("%s: %d buys acknowledged, all guarantees held", fault.name, buyers.bought());
      }
    }
    return order.size();
  }

  private void injectAndCheck(FaultInjection fault) throws Exception {
    buyers.buying(BUYERS);
    awaitBuys();
    fault.inject(this);
    store.kill("catalog");
    disk.cut(random.nextBoolean(), random.nextLong());
    startCatalog();
    buyers.stop();
    buyers.checkAgainst(store.http("frontend"));
  }

  private void commitSyncFails() throws Exception {
    syncFails("fail-sync " + (1 + random.nextInt(20)) + " -wal");
  }

  private void syncFails(String command) throws Exception {
    disk.tell(command);
    awaitEnd();
  }

  private void startFails(String command) throws Exception {
    store.kill("catalog");
    disk.tell(command);
    store.start("catalog");
    awaitEnd();
  }

  private void logWritesFail() throws Exception {
    tellAndAwaitFault("fail-writes -wal");
    awaitAnswer(503);
    awaitQuery();
    heal();
  }

  /// Only checkpoints write to the database file; sales are written to the log.
  private void databaseWritesFail() throws Exception {
    tellAndAwaitFault("fail-writes .db");
    awaitBuys();
    heal();
  }

  /// The disk becomes full while the catalog runs.
  private void diskFull() throws Exception {
    tellAndAwaitFault("full 0");
    awaitAnswer(503);
    awaitQuery();
    disk.tell("full " + ROOM_BYTES);
    awaitBuys();
    disk.tell("heal");
  }

  private void slowSyncs() throws Exception {
    disk.tell("slow-sync 1500");
    assertThat(awaitAnswer(504).took()).isLessThan(DEADLINE.multipliedBy(3));
    heal();
  }

  private void heal() throws IOException {
    disk.tell("heal");
    awaitBuys();
  }

  private void tellAndAwaitFault(String command) throws IOException {
    long before = disk.readCounter("faults");
    disk.tell(command);
    Conditions.await(() -> disk.readCounter("faults") > before);
  }

  private void startCatalog() throws IOException {
    store.start("catalog");
    Conditions.await(() -> {
      assertThat(store.process("catalog").isAlive())
          .as("catalog starts with the files left by the fault")
          .isTrue();
      return store.isReady("catalog") && store.isReady("frontend");
    });
  }

  private void awaitBuys() {
    long enough = buyers.bought() + BUYS;
    Conditions.await(() -> {
      assertThat(store.process("catalog").isAlive()).as("catalog process is alive").isTrue();
      return buyers.bought() >= enough;
    });
  }

  /// Waits until a buy is answered with this status.
  private Timed awaitAnswer(int status) {
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
  private void awaitQuery() {
    Conditions.await(() -> store.http("frontend").get("/products/Tux").status() == 200);
  }

  /// Waits until the catalog has exited because the disk failed.
  private void awaitEnd() throws InterruptedException {
    assertThat(store.process("catalog").waitFor(60, TimeUnit.SECONDS))
        .as("the catalog exits after a failed sync, because the contents of the disk are unknown")
        .isTrue();
    assertThat(store.process("catalog").exitValue())
        .as("exit code")
        .isEqualTo(ExitCode.DISK_FAILED);
  }
}
