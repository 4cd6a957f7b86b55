package toystore.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Backs up the SQLite files of running, stopped and killed services.
@Timeout(60)
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
          .startsWith("backed up 300 sales, 200 of them in the order book, 0.")
          .contains(" MB, into " + to + " in ");
      assertThat(data.path().resolve("catalog/catalog.db-wal")).hasBinaryContent(log);
    }
    assertThat(namesIn(to)).containsExactly("backup.properties", "catalog.db", "order.db");
    assertThat(StoreFiles.lastKey(to, "catalog", "sale")).isEqualTo("sold-299");
    assertThat(StoreFiles.lastKey(to, "order", "book")).isEqualTo("sold-199");
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(to)))
        .isEqualTo("rwx------");
    assertThat(namesIn(temporary)).containsExactly("data", "new folders");
    assertThat(opened(to).check()).isEqualTo(new Backup.Contents(NOW, 300, 200));
  }

  @Test
  void backupOfAStoppedStoreAcceptsAnEmptyFolder() throws Exception {
    var data = data("data");
    StoreFiles.running(data, "sold", 3, 3).close();
    backup(data, Files.createDirectory(temporary.resolve("empty")));
    assertThat(opened(temporary.resolve("empty")).check())
        .isEqualTo(new Backup.Contents(NOW, 3, 3));
  }

  @Test
  void backupIncludesCommitsLeftInTheLogByAKill() throws Exception {
    var data = data("data");
    StoreFiles.killed(data, temporary.resolve("before"), "sold", 50, 40);
    backup(data, temporary.resolve("backup"));
    assertThat(opened(temporary.resolve("backup")).check())
        .isEqualTo(new Backup.Contents(NOW, 50, 40));
  }

  /// The backup copies the order book before the catalog. In the other order, the copied book could
  /// contain a sale that the copied catalog lacks.
  @Test
  void backupOfABusyStoreNeverHasOrdersThatItsCatalogLacks() throws Exception {
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
    var last = opened(temporary.resolve("backup-19")).check();
    assertThat(last.sales()).isPositive().isGreaterThanOrEqualTo(last.orders());
  }

  @Test
  void backupRefusesAnOrderBookAheadOfItsCatalog() throws Exception {
    var data = data("data");
    StoreFiles.running(data, "sold", 80, 120).close();
    refused(
        data,
        temporary.resolve("backup"),
        "the order book does not match the catalog: its last order is 119 with the key \"sold-119\","
            + " the catalog's last sale is 79, and sale 119 has no key");
  }

  @Test
  void backupRefusesAnOrderBookOfAnotherCatalog() throws Exception {
    var data = data("data");
    var other = data("other");
    StoreFiles.running(data, "sold", 80, 0).close();
    StoreFiles.running(other, "other", 0, 10).close();
    Files.copy(
        other.database(Backup.ORDER),
        data.database(Backup.ORDER),
        java.nio.file.StandardCopyOption.REPLACE_EXISTING);
    refused(
        data,
        temporary.resolve("backup"),
        "the order book does not match the catalog: its last order is 9 with the key \"other-9\","
            + " the catalog's last sale is 79, and sale 9 has the key \"sold-9\"");
  }

  @Test
  void backupRefusesADamagedDatabase() throws Exception {
    var data = data("data");
    StoreFiles.running(data, "sold", 2_000, 0).close();
    try (var file = FileChannel.open(data.database(Backup.CATALOG), StandardOpenOption.WRITE)) {
      file.write(ByteBuffer.wrap(new byte[500]), 5 * 4096);
    }
    assertThatExceptionOfType(CommandRefused.class)
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
    refused(data, to, String.format(Locale.ROOT, "data folder %s does not exist", data.path()));
    data.claim().close();
    refused(
        data,
        to,
        String.format(
            Locale.ROOT,
            "data folder %s contains no store: %s does not exist",
            data.path(),
            data.database(Backup.CATALOG)));
    StoreFiles.running(data, "sold", 1, 1).close();
    Files.createFile(data.restoring());
    refused(
        data,
        to,
        String.format(
            Locale.ROOT,
            "a restore into data folder %s was interrupted; run ./toystore restore again",
            data.path()));
  }

  private void refused(DataFolder data, Path to, String line) throws IOException {
    var before = namesIn(temporary);
    assertThatExceptionOfType(CommandRefused.class)
        .isThrownBy(() -> backup(data, to))
        .withMessage(line);
    assertThat(namesIn(temporary)).isEqualTo(before);
  }

  private static String backup(DataFolder data, Path to) throws IOException {
    return BackupCommand.backup(data, to, StorePlanTest.SERVICES, NOW);
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
