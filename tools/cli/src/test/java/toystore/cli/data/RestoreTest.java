package toystore.cli.data;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static toystore.common.RootLocale.format;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import toystore.cli.command.CommandRefusal;
import toystore.cli.launch.DataFolder;
import toystore.cli.launch.StorePlanTest;

/// Checks the data folder after a complete, interrupted or refused `restore`. The backup has 80
/// sales and 70 purchases.
final class RestoreTest {
  private static final Instant NOW = Instant.parse("2026-01-02T03:04:05Z");
  private static final List<String> OLD = List.of("old-119", "old-118");
  private static final List<String> BACKED_UP = List.of("sold-79", "sold-69");

  @TempDir Path temporary;
  private Path backup = Path.of("");

  @BeforeEach
  void makeABackup() throws Exception {
    backup = temporary.resolve("backup");
    var data = data("backed-up");
    StoreFiles.running(data, "sold", 80, 70).close();
    BackupCommand.backup(data, backup, StorePlanTest.SERVICES, NOW);
  }

  @Test
  void restoreIntoANewFolderBringsTheBackedUpSales() throws Exception {
    var data = data("data");
    assertThat(restore(data))
        .isEqualTo("restored the backup of 2026-01-02T03:04:05Z into " + data.path());
    assertThat(lastKeys(data.path())).isEqualTo(BACKED_UP);
  }

  @Test
  void restoreKeepsThePreviousFilesWithTheirLogs() throws Exception {
    var data = old("data");
    Files.writeString(data.adminToken(), "secret");
    assertThat(restore(data))
        .isEqualTo(
            format(
                "restored the backup of 2026-01-02T03:04:05Z into %s; the previous files are in %s%n"
                    + "catalog   restored: no order, purchase or return 79 (2026-01-02T03:04:05Z)%n"
                    + "          replaced: no order, purchase or return 119 (2026-01-02T03:04:05Z)%n"
                    + "order     restored: purchase or return 69 (2026-01-02T03:04:05Z)%n"
                    + "          replaced: purchase or return 118 (2026-01-02T03:04:05Z)%n"
                    + "Orders, purchases and whatever else is later than the backup are gone; their numbers are assigned again.",
                data.path(), kept(data)));
    assertThat(lastKeys(data.path())).isEqualTo(BACKED_UP);
    assertThat(lastKeys(kept(data))).isEqualTo(OLD);
    assertThat(data.adminToken()).hasContent("secret");
  }

  /// After an interruption, the folder can be used only if it has all old files with their logs, or
  /// all new files without logs. Otherwise a second restore leads to the same result as a restore
  /// without an interruption.
  @Test
  void interruptedRestoreNeverMixesOldAndNewFiles() throws Exception {
    var refusals = new ArrayList<Integer>();
    var interrupted = true;
    for (var step = 1; interrupted; step++) {
      var data = old("data-" + step);
      interrupted = isInterruptedAt(data, step);
      if (Files.exists(data.restoring())) {
        refusals.add(step);
        assertThatExceptionOfType(CommandRefusal.class).isThrownBy(data::requireFullyRestored);
        restore(data);
        assertThat(lastKeys(data.path())).as("restored after step %d", step).isEqualTo(BACKED_UP);
        assertThat(lastKeys(kept(data))).as("old files after step %d", step).isEqualTo(OLD);
      } else {
        assertThat(lastKeys(data.path()))
            .as("step %d", step)
            .isEqualTo(interrupted ? OLD : BACKED_UP);
      }
    }
    var last = 5 + 3 * StorePlanTest.SERVICES.databases().size(); // three steps a database
    assertThat(refusals).isEqualTo(IntStream.rangeClosed(3, last).boxed().toList());
  }

  /// Starts a restore that is interrupted at a step.
  ///
  /// @return false if the restore has fewer steps and was completed
  private boolean isInterruptedAt(DataFolder data, int step) throws IOException {
    var left = new int[] {step};
    try {
      RestoreCommand.restore(
          data,
          backup,
          StorePlanTest.SERVICES,
          NOW,
          () -> {
            if (--left[0] == 0) {
              throw new PowerCut();
            }
          });
      return false;
    } catch (PowerCut cut) {
      return true;
    }
  }

  /// Simulates a power cut. `restore` does not catch it, so nothing is cleaned up.
  private static final class PowerCut extends Error {}

  @Test
  void restoreWithoutPurchasesRemovesTheOldOnes() throws Exception {
    Files.delete(backup.resolve("order.db"));
    var properties = backup.resolve("backup.properties");
    Files.write(
        properties,
        Files.readAllLines(properties).stream().filter(line -> !line.contains("order")).toList());
    var data = old("data");
    restore(data);
    assertThat(StoreFiles.lastKey(data.path().resolve("catalog"), "catalog", "sale"))
        .isEqualTo("sold-79");
    assertThat(data.database(Backup.ORDER)).doesNotExist();
    assertThat(lastKeys(kept(data))).isEqualTo(OLD);
  }

  @Test
  void restoreRefusesAFolderInUse() throws Exception {
    var data = old("data");
    try (var _ = data.claim()) {
      refused(data, format("data folder %s is in use by another ./toystore command", data.path()));
    }
    var lock = data.path().resolve("order/lock");
    try (var _ = DataFolder.lock(lock, 1).orElseThrow()) {
      refused(data, "a service is using the data folder: it holds the lock " + lock);
    }
    assertThat(lastKeys(data.path())).isEqualTo(OLD);
  }

  @Test
  void restoreRefusesAnIncompleteBackup() throws Exception {
    var data = old("data");
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
    assertThat(lastKeys(data.path())).isEqualTo(OLD);
  }

  private void refused(DataFolder data, String line) {
    assertThatExceptionOfType(CommandRefusal.class)
        .isThrownBy(() -> restore(data))
        .withMessage(line);
    assertThat(data.restoring()).doesNotExist();
  }

  private String restore(DataFolder data) throws IOException {
    return RestoreCommand.restore(data, backup, StorePlanTest.SERVICES, NOW, () -> {});
  }

  /// Creates the files of a killed store, with all rows in the logs: 120 sales, 119 of them
  /// recorded as purchases.
  private DataFolder old(String name) throws IOException, SQLException {
    var data = data(name);
    StoreFiles.killed(data, temporary.resolve(name + "-before"), "old", 120, 119);
    return data;
  }

  private static List<String> lastKeys(Path folder) throws SQLException {
    return List.of(
        StoreFiles.lastKey(folder.resolve("catalog"), "catalog", "sale"),
        StoreFiles.lastKey(folder.resolve("order"), "order", "purchase"));
  }

  private static Path kept(DataFolder data) {
    return data.path().resolve("before-restore-20260102-030405");
  }

  private DataFolder data(String name) {
    return new DataFolder(temporary.resolve(name));
  }
}
