package toystore.cli.data;

import static toystore.common.RootLocale.format;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;
import toystore.cli.command.CommandRefusal;
import toystore.cli.command.DurableFiles;
import toystore.cli.launch.DataFolder;
import toystore.cli.launch.DataOption;
import toystore.cli.launch.Services;

/// `./toystore backup`: copies a store that may run meanwhile.
///
/// It opens the files itself, beside the services: SQLite lets any process read what is committed
/// without a writer having to wait, so the store needs neither run nor know of it.
@Command(
    name = "backup",
    description = "Copy the databases of all services. The store may be running or stopped.",
    footer = {
      "",
      "The backup does not contain the administrator's token. Only its owner can read DIR.",
      "To restore the backup: ./toystore restore DIR"
    })
public final class BackupCommand implements Callable<Integer> {
  @Parameters(
      paramLabel = "DIR",
      description = "The folder to create. It must not exist, or be empty.")
  private Path folder = Path.of("");

  @Mixin private final DataOption data = new DataOption();

  @Override
  public Integer call() throws IOException {
    System.out.println(backup(data.folder(), folder, Services.ofProject(), Instant.now()));
    return 0;
  }

  /// Makes a complete backup or none: until it is complete, it is a folder with another name.
  ///
  /// @return a line that reports the result
  static String backup(DataFolder data, Path destination, Services services, Instant now)
      throws IOException {
    Path folder = destination.toAbsolutePath().normalize();
    data.requireSqlite(
        "back up that database with PostgreSQL's own programs: pg_dump, or pg_basebackup with an archive of the WAL; see docs/how-to/postgresql.md");
    data.requireStore();
    if (folder.startsWith(data.path())) {
      throw new CommandRefusal(
          "%s is inside the data folder and would be lost with it; choose another folder", folder);
    }
    new DataFolder(folder).requireNewOrEmpty("choose a new or empty folder");
    try (var unfinished = UnfinishedFolder.beside(folder)) {
      long begin = System.nanoTime();
      Backup.Contents contents =
          new Backup(unfinished.path(), services.databases())
              .fill(data, now.truncatedTo(ChronoUnit.SECONDS));
      DurableFiles.rename(unfinished.path(), folder);
      return format(
          "backed up %s, %.1f MB, into %s in %.1f s",
          Backup.text(contents.last().getOrDefault(Backup.CATALOG, List.of())),
          new Backup(folder, services.databases()).bytes() / 1e6,
          folder,
          (System.nanoTime() - begin) / 1e9);
    }
  }
}
