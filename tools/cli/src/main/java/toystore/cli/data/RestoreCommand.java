package toystore.cli.data;

import static toystore.common.RootLocale.format;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;
import toystore.cli.launch.DataFolder;
import toystore.cli.launch.DataOption;
import toystore.cli.launch.Services;

/// `./toystore restore`: restores a backup into an unused data folder.
@Command(
    name = "restore",
    description = "Restore a backup; the previous files are kept in a folder beside it.",
    footer = {
      "",
      "The store must be stopped. Orders placed after the backup are lost, and their",
      "numbers are assigned again to new orders. The command prints the last numbers of the",
      "backup and of the files that it replaced."
    })
public final class RestoreCommand implements Callable<Integer> {
  private static final DateTimeFormatter STAMP =
      DateTimeFormatter.ofPattern("yyyyMMdd-HHmmss", Locale.ROOT).withZone(ZoneOffset.UTC);

  @Parameters(paramLabel = "DIR", description = "A folder created by ./toystore backup.")
  private Path folder = Path.of("");

  @Mixin private final DataOption data = new DataOption();

  @Override
  public Integer call() throws IOException {
    System.out.println(
        restore(data.folder(), folder, Services.ofProject(), Instant.now(), () -> {}));
    return 0;
  }

  /// @return a line that reports the result
  static String restore(
      DataFolder data, Path from, Services services, Instant now, Restore.Step step)
      throws IOException {
    var backup = new Backup(from.toAbsolutePath().normalize(), services.databases());
    data.requireSqlite(
        "restore that database with PostgreSQL's own programs: pg_restore, or a base backup and the archived WAL; see docs/operations.md");
    data.requireNotInUse(); // before the check of the backup, which takes long
    Backup.Contents contents = backup.check();
    try (DataFolder.Claim _ = data.claimWith(backup.services())) {
      Path kept = Restore.run(data, backup, DataFolder.KEPT + STAMP.format(now), step);
      String line = "restored the backup of " + contents.time() + " into " + data.path();
      return Files.exists(kept) ? line + replaced(backup, contents, kept) : line;
    }
  }

  /// The last numbers of the backup and of the files that it replaced.
  private static String replaced(Backup backup, Backup.Contents contents, Path kept) {
    var lines = new StringBuilder("; the previous files are in " + kept);
    for (String service : backup.services().reversed()) {
      Path before = kept.resolve(service).resolve(service + ".db");
      if (backup.has(service) || Files.exists(before)) {
        lines.append(
            format(
                "%n%-9s restored: %s%n          replaced: %s",
                service,
                backup.has(service)
                    ? Backup.text(contents.last().getOrDefault(service, List.of()))
                    : "nothing",
                Files.exists(before)
                    ? Backup.text(BackupDatabase.last(service, before))
                    : "nothing"));
      }
    }
    return lines
        + System.lineSeparator()
        + "Orders, purchases and whatever else is later than the backup are gone; their numbers are assigned again.";
  }
}
