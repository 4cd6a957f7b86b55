package toystore.cli.data;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static toystore.common.RootLocale.format;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import toystore.cli.command.CommandRefusal;
import toystore.cli.launch.DataFolder;
import toystore.cli.launch.StorePlanTest;

/// Backs up the SQLite files of running, stopped and killed services.
final class BackupTest {
  private static final Instant NOW = Instant.parse("2026-01-02T03:04:05Z");

  @TempDir Path temporary;

  @Test
  void backupOfARunningStoreLeavesItsFilesUnchanged() throws Exception {
    var data = data("data");
    var to = temporary.resolve("new folders/100 % #1?");
    try (var _ = StoreFiles.running(data, "sold", 300, 200)) {
      var log = Files.readAllBytes(data.path().resolve("catalog/catalog.db-wal"));
      assertThat(backup(data, to))
          .startsWith("backed up no order, purchase or return 299 (2026-01-02T03:04:05Z), 0.")
          .contains(" MB, into " + to + " in ");
      assertThat(data.path().resolve("catalog/catalog.db-wal")).hasBinaryContent(log);
    }
    assertThat(namesIn(to)).containsExactly("backup.properties", "catalog.db", "order.db");
    assertThat(StoreFiles.lastKey(to, "catalog", "sale")).isEqualTo("sold-299");
    assertThat(StoreFiles.lastKey(to, "order", "purchase")).isEqualTo("sold-199");
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(to)))
        .isEqualTo("rwx------");
    assertThat(namesIn(temporary)).containsExactly("data", "new folders");
    assertThat(lastPurchases(to)).containsExactly(299L, 199L);
  }

  @Test
  void backupOfAStoppedStoreAcceptsAnEmptyFolder() throws Exception {
    var data = data("data");
    StoreFiles.running(data, "sold", 3, 3).close();
    backup(data, Files.createDirectory(temporary.resolve("empty")));
    assertThat(lastPurchases(temporary.resolve("empty"))).containsExactly(2L, 2L);
  }

  @Test
  void backupIncludesCommitsLeftInTheLogByAKill() throws Exception {
    var data = data("data");
    StoreFiles.killed(data, temporary.resolve("before"), "sold", 50, 40);
    backup(data, temporary.resolve("backup"));
    assertThat(lastPurchases(temporary.resolve("backup"))).containsExactly(49L, 39L);
  }

  /// The backup copies the purchases before the catalog. In the other order, a recorded purchase
  /// could be a sale that the copied catalog lacks.
  @Test
  void backupOfABusyStoreNeverHasPurchasesThatItsCatalogLacks() throws Exception {
    var data = data("data");
    var selling = new AtomicBoolean(true);
    try (var store = StoreFiles.running(data, "sold", 0, 0);
        var threads = Executors.newSingleThreadExecutor()) {
      var seller =
          threads.submit(() -> {
            for (var number = 0L; selling.get(); number++) {
              store.sellOne("sold", number);
            }
            return null;
          });
      try {
        for (var copy = 0; copy < 20; copy++) {
          backup(data, temporary.resolve("backup-" + copy));
        }
      } finally {
        selling.set(false);
      }
      seller.get();
    }
    var last = lastPurchases(temporary.resolve("backup-19"));
    assertThat(last.getFirst()).isPositive().isGreaterThanOrEqualTo(last.getLast());
  }

  @Test
  void backupRefusesPurchasesAheadOfTheirCatalog() throws Exception {
    var data = data("data");
    StoreFiles.running(data, "sold", 80, 120).close();
    refused(
        data,
        temporary.resolve("backup"),
        "the purchases do not match the catalog: the last number of a purchase or return is 119, but the"
            + " catalog's is 79");
  }

  @Test
  void backupRefusesADamagedDatabase() throws Exception {
    var data = data("data");
    StoreFiles.running(data, "sold", 2_000, 0).close();
    try (var file = FileChannel.open(data.database(Backup.CATALOG), StandardOpenOption.WRITE)) {
      file.write(ByteBuffer.wrap(new byte[500]), 5 * 4096);
    }
    assertThatExceptionOfType(CommandRefusal.class)
        .isThrownBy(() -> backup(data, temporary.resolve("backup")))
        .withMessageContaining("catalog.db is damaged: ")
        .withMessageNotContaining("\n");
    assertThat(namesIn(temporary)).containsExactly("data");
  }

  @Test
  void backupRefusesADestinationThatIsNotEmpty() throws Exception {
    var data = data("data");
    StoreFiles.running(data, "sold", 1, 1).close();
    var letter = Files.writeString(temporary.resolve("letter"), "Dear");
    refused(
        data, letter, letter + " already exists and is not empty; choose a new or empty folder");
    refused(
        data,
        data.path(),
        data.path()
            + " is inside the data folder and would be lost with it; choose another folder");
    refused(
        data,
        temporary,
        temporary + " already exists and is not empty; choose a new or empty folder");
    assertThat(letter).hasContent("Dear");
  }

  @Test
  void backupRefusesAFolderWithoutAStore() throws Exception {
    var data = data("data");
    var to = temporary.resolve("backup");
    refused(data, to, format("data folder %s does not exist", data.path()));
    data.claim().close();
    refused(
        data,
        to,
        format(
            "data folder %s contains no store: %s does not exist",
            data.path(), data.database(Backup.CATALOG)));
  }

  private void refused(DataFolder data, Path to, String line) throws IOException {
    var before = namesIn(temporary);
    assertThatExceptionOfType(CommandRefusal.class)
        .isThrownBy(() -> backup(data, to))
        .withMessage(line);
    assertThat(namesIn(temporary)).isEqualTo(before);
  }

  private static String backup(DataFolder data, Path to) throws IOException {
    return BackupCommand.backup(data, to, StorePlanTest.SERVICES, NOW);
  }

  /// The last numbers of the catalog's and the order service's copies.
  private static List<Long> lastPurchases(Path backup) throws IOException {
    var contents = opened(backup).check();
    assertThat(contents.time()).isEqualTo(NOW);
    return Stream.of(Backup.CATALOG, Backup.ORDER)
        .map(it -> requireNonNull(contents.last().get(it)).getLast().number())
        .toList();
  }

  private static Backup opened(Path folder) {
    return new Backup(folder, StorePlanTest.SERVICES.databases());
  }

  private DataFolder data(String name) {
    return new DataFolder(temporary.resolve(name));
  }

  private static List<String> namesIn(Path folder) throws IOException {
    try (var files = Files.list(folder)) {
      return files.map(file -> file.getFileName().toString()).sorted().toList();
    }
  }
}
