package toystore.torture;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import java.io.IOException;
import java.nio.file.Files;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import toystore.platform.rpc.ErrorReason;
import toystore.platform.rpc.RpcError;
import toystore.platform.service.ExitCode;
import toystore.testkit.Conditions;
import toystore.testkit.StoreProcesses;

/// The disk fails while many buy: a sync, a write, no room, no haste. After each failure the power
/// fails as well, so that what was only said to be synced is gone.
final class BadDisk implements Trial {
  private static final int BUYERS = 8;
  private static final long BUYS = 50;
  private static final long MEGABYTES = 4 << 20;

  private final List<DiskFault> faults =
      List.of(
          new DiskFault("fsync fails in a commit", this::commitSyncFails),
          new DiskFault("fsync fails in a checkpoint", this::checkpointSyncFails),
          new DiskFault("fsync fails at startup", this::startSyncFails),
          new DiskFault("fsync of a folder fails at startup", this::folderSyncFails),
          new DiskFault("writes to the WAL fail", this::logWritesFail),
          new DiskFault("writes to the database fail", this::databaseWritesFail),
          new DiskFault("the disk is full", this::full),
          new DiskFault("fsync is slow", this::slow));

  private record DiskFault(String name, Trouble trouble) {}

  private interface Trouble {
    void make(Shop shop) throws Exception;
  }

  /// A catalog on the disk, and those who buy from it.
  private record Shop(CrashDisk disk, StoreProcesses store, CatalogBuyers buyers, Random random) {
    Process catalog() {
      return store.process("catalog");
    }

    void open() throws IOException {
      store.start("catalog");
      buyers.awaitAnswers(catalog());
    }

    void awaitBuys() throws IOException {
      long enough = buyers.bought() + BUYS;
      Conditions.await(() -> {
        assertThat(catalog().isAlive()).as("catalog process is alive").isTrue();
        return buyers.bought() >= enough;
      });
    }

    /// Waits until it has ended because the disk failed.
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

  @Override
  public String name() {
    return "bad-disk";
  }

  @Override
  public String unit() {
    return "disk faults";
  }

  @Override
  public long wanted() {
    return 40;
  }

  @Override
  public Optional<String> missing() {
    return CrashDisk.missing();
  }

  @Override
  public long round(TrialRound round) throws Exception {
    var random = new Random(round.seed());
    List<DiskFault> order = new ArrayList<>(faults);
    Collections.shuffle(order, random);
    try (var disk = CrashDisk.mount(round.folder().resolve("disk"));
        var store = new StoreProcesses(round.folder());
        var buyers = new CatalogBuyers(round.folder(), store.port("catalog"))) {
      store.with("catalog", "toystore.data", disk.folder().resolve("data").toString());
      var shop = new Shop(disk, store, buyers, random);
      shop.open();
      buyers.start(BUYERS);
      for (DiskFault fault : order) {
        try {
          shop.awaitBuys();
          fault.trouble().make(shop);
          shop.losePower();
          shop.open();
          buyers.check(random);
        } catch (AssertionError | RuntimeException e) {
          throw new AssertionError(fault.name() + ": " + e.getMessage(), e);
        }
        round
            .out()
            .printf("%s: %d buys acknowledged, all guarantees held%n", fault.name(), buyers.bought());
      }
      buyers.stop();
      buyers.check(random);
    }
    return order.size();
  }

  private void commitSyncFails(Shop shop) throws Exception {
    shop.disk().tell("fail-sync %d -wal".formatted(1 + shop.random().nextInt(20)));
    shop.awaitEnd();
  }

  private void checkpointSyncFails(Shop shop) throws Exception {
    shop.disk().tell("fail-sync 1 .db");
    shop.awaitEnd();
  }

  /// It was killed before, so that there is a log to be synced.
  private void startSyncFails(Shop shop) throws Exception {
    shop.store().kill("catalog");
    shop.disk().tell("fail-sync 1");
    shop.store().start("catalog");
    shop.awaitEnd();
  }

  private void folderSyncFails(Shop shop) throws Exception {
    shop.store().kill("catalog");
    shop.disk().tell("fail-folder-syncs");
    shop.store().start("catalog");
    shop.awaitEnd();
  }

  private void logWritesFail(Shop shop) throws Exception {
    long before = shop.disk().counted("faults");
    shop.disk().tell("fail-writes -wal");
    shop.awaitFault(before);
    assertRefused(shop);
    shop.disk().tell("heal");
    shop.awaitBuys();
  }

  /// Only the checkpoint writes there: what is sold stands in the log.
  private void databaseWritesFail(Shop shop) throws Exception {
    long before = shop.disk().counted("faults");
    shop.disk().tell("fail-writes .db");
    shop.awaitFault(before);
    shop.awaitBuys();
    shop.disk().tell("heal");
    shop.awaitBuys();
  }

  /// First while it runs, then already when it starts.
  private void full(Shop shop) throws Exception {
    shop.disk().tell("full 0");
    Conditions.await(() -> shop.disk().counted("faults") > 0);
    assertRefused(shop);
    shop.store().kill("catalog");
    shop.disk().tell("full 0");
    shop.open();
    assertThat(shop.buyers().stock()).as("stock").isPositive();
    shop.disk().tell("full " + MEGABYTES);
    shop.awaitBuys();
    shop.disk().tell("heal");
    Conditions.await(() -> Files.exists(shop.disk().folder().resolve("data/catalog/reserve")));
  }

  private void slow(Shop shop) throws Exception {
    var deadline = Duration.ofMillis(400);
    String key = UUID.randomUUID().toString();
    shop.disk().tell("slow-sync 1500");
    long begun = System.nanoTime();
    assertThatThrownBy(() -> shop.buyers().buy(key, deadline))
        .isInstanceOfSatisfying(
            StatusRuntimeException.class,
            late ->
                assertThat(late.getStatus().getCode()).isEqualTo(Status.Code.DEADLINE_EXCEEDED));
    assertThat(Duration.ofNanos(System.nanoTime() - begun)).isLessThan(deadline.multipliedBy(3));
    shop.disk().tell("heal");
    long number = bought(shop, key);
    assertThat(bought(shop, key)).as("number returned by the retry").isEqualTo(number);
  }

  private static long bought(Shop shop, String key) {
    return shop.buyers().buy(key, Duration.ofSeconds(20)).getSale().getNumber();
  }

  /// Queries are answered, a buy is surely not done.
  private static void assertRefused(Shop shop) throws IOException {
    Conditions.await(() -> {
      try {
        shop.buyers().buy(UUID.randomUUID().toString(), Duration.ofSeconds(5));
        return false; // there was room for one more
      } catch (StatusRuntimeException e) {
        assertThat(RpcError.of(e).reason()).as("%s", e).isEqualTo(ErrorReason.NOT_DONE);
        return true;
      }
    });
    assertThat(shop.buyers().stock()).as("stock").isPositive();
  }
}
