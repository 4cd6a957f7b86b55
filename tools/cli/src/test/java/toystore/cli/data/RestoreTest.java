package toystore.cli.data;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIOException;
import static toystore.common.RootLocale.format;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import toystore.cli.command.CommandRefusal;
import toystore.cli.launch.DataFolder;
import toystore.cli.launch.StorePlanTest;

/// Restores a backup with 80 sales and 70 purchases.
final class RestoreTest {
  @TempDir Path temporary;
  private Path backup = Path.of("");

  @BeforeEach
  void makeABackup() throws Exception {
    backup = temporary.resolve("backup");
    var data = data("backed-up");
    StoreFiles.running(data, "sold", 80, 70).close();
    BackupCommand.backup(
        data, backup, StorePlanTest.SERVICES, Instant.parse("2026-01-02T03:04:05Z"));
  }

  @Test
  void newFolderHasTheBackedUpSales() throws Exception {
    var data = data("Kašpárek's data");
    assertThat(restore(data))
        .isEqualTo(
            format(
                "restored the backup of 2026-01-02T03:04:05Z into %s%n"
                    + "catalog   no order, purchase or return 79 (2026-01-02T03:04:05Z)%n"
                    + "order     purchase or return 69 (2026-01-02T03:04:05Z)%n"
                    + "What is later is lost; its numbers are assigned again.",
                data.path()));
    assertHasTheBackedUpSales(data);
    try (var files = Files.walk(data.path())) {
      for (var file : files.toList()) {
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
            .isEqualTo(Files.isDirectory(file) ? "rwx------" : "rw-------");
      }
    }
  }

  @Test
  void linkToAnEmptyFolderStays() throws Exception {
    var disk = Files.createDirectories(temporary.resolve("disk/data"));
    var data = new DataFolder(Files.createSymbolicLink(temporary.resolve("data"), disk));
    restore(data);
    assertThat(data.path()).isSymbolicLink();
    assertHasTheBackedUpSales(data);
  }

  @Test
  void folderThatIsNotEmptyIsRefusedWithTheCommandThatMovesIt() throws Exception {
    var data = data("my dätä");
    data.claim().close();
    refused(
        data,
        format(
            "%1$s already exists and is not empty; stop its store and move it away: mv '%1$s' '%1$s.old'",
            data.path()));
    assertThat(data.path()).isDirectoryContaining("glob:**/up.lock");
  }

  @Test
  void interruptedRestoreLeavesNoFolder() throws IOException {
    var before = namesIn(temporary);
    Thread.currentThread().interrupt(); // the first sync after the check of the backup then fails
    try {
      assertThatIOException().isThrownBy(() -> restore(data("data")));
    } finally {
      Thread.interrupted();
    }
    assertThat(namesIn(temporary)).isEqualTo(before);
  }

  @Test
  void backupWithoutPurchasesIsRestored() throws Exception {
    Files.delete(backup.resolve("order.db"));
    var properties = backup.resolve("backup.properties");
    Files.write(
        properties,
        Files.readAllLines(properties).stream().filter(line -> !line.contains("order")).toList());
    var data = data("data");
    restore(data);
    assertThat(namesIn(data.path())).containsExactly("catalog");
  }

  @Test
  void incompleteBackupIsRefused() throws Exception {
    var data = data("data");
    var catalog = backup.resolve("catalog.db");
    var bytes = Files.readAllBytes(catalog);
    bytes[bytes.length - 3] ^= 1;
    Files.write(catalog, bytes);
    refused(
        data,
        catalog + " was changed after the backup: its SHA-256 does not match backup.properties");
    Files.delete(catalog);
    refused(data, format("the backup is incomplete: %s is missing", catalog));
    Files.writeString(backup.resolve("backup.properties"), "format=2\n");
    refused(data, format("backup %s has format 2; this version reads format 1 only", backup));
    Files.delete(backup.resolve("backup.properties"));
    refused(data, format("%s is not a backup: it has no file backup.properties", backup));
  }

  private void refused(DataFolder data, String line) throws IOException {
    var before = namesIn(temporary);
    assertThatExceptionOfType(CommandRefusal.class)
        .isThrownBy(() -> restore(data))
        .withMessage(line);
    assertThat(namesIn(temporary)).isEqualTo(before);
  }

  private String restore(DataFolder data) throws IOException {
    return RestoreCommand.restore(data, backup, StorePlanTest.SERVICES);
  }

  private static void assertHasTheBackedUpSales(DataFolder data) throws SQLException {
    assertThat(StoreFiles.lastKey(data.path().resolve("catalog"), "catalog", "sale"))
        .isEqualTo("sold-79");
    assertThat(StoreFiles.lastKey(data.path().resolve("order"), "order", "purchase"))
        .isEqualTo("sold-69");
  }

  private static List<String> namesIn(Path folder) throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      return files.map(file -> file.getFileName().toString()).sorted().toList();
    }
  }

  private DataFolder data(String name) {
    return new DataFolder(temporary.resolve(name));
  }
}
