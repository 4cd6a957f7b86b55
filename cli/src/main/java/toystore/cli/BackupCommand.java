package toystore.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

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
final class BackupCommand implements Callable<Integer> {
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

  /// @return a line that reports the result The backup comes into being whole: until then it is a
  ///   neighbour with another name, which goes when anything goes wrong.
  static String backup(DataFolder data, Path destination, Services services, Instant now)
      throws IOException {
    var folder = destination.toAbsolutePath().normalize();
    requireStore(data);
    requireFree(folder, data);
    var parent = folder.resolveSibling("").normalize();
    Files.createDirectories(parent);
    var unfinished = Files.createTempDirectory(parent, folder.getFileName() + ".unfinished-");
    try (var _ = new PartialBackup(unfinished)) {
      var begin = System.nanoTime();
      var contents =
          new Backup(unfinished, services.databases())
              .fill(data, now.truncatedTo(ChronoUnit.SECONDS));
      DurableFiles.rename(unfinished, folder);
      return summary(
          new Backup(folder, services.databases()),
          contents,
          Duration.ofNanos(System.nanoTime() - begin));
    }
  }

  private static void requireStore(DataFolder data) {
    if (!data.exists()) {
      throw new CommandRefusal(
          String.format(Locale.ROOT, "data folder %s does not exist", data.path()));
    }
    data.requireFullyRestored();
    var catalog = data.database(Backup.CATALOG);
    if (!Files.isRegularFile(catalog)) {
      throw new CommandRefusal(
          String.format(
              Locale.ROOT,
              "data folder %s contains no store: %s does not exist",
              data.path(),
              catalog));
    }
  }

  private static void requireFree(Path folder, DataFolder data) throws IOException {
    if (folder.startsWith(data.path())) {
      throw new CommandRefusal(
          String.format(
              Locale.ROOT,
              "%s is inside the data folder and would be lost with it; choose another folder",
              folder));
    }
    if (Files.exists(folder) && !(Files.isDirectory(folder) && new DataFolder(folder).isEmpty())) {
      throw new CommandRefusal(
          String.format(
              Locale.ROOT,
              "%s already exists and is not empty; choose a new or empty folder",
              folder));
    }
  }

  private static String summary(Backup backup, Backup.Contents contents, Duration took)
      throws IOException {
    return String.format(
        Locale.ROOT,
        "backed up %s, %.1f MB, into %s in %.1f s",
        Backup.text(contents.last().getOrDefault(Backup.CATALOG, List.of())),
        backup.bytes() / 1e6,
        backup.folder(),
        took.toMillis() / 1e3);
  }

  /// The temporary folder of an incomplete backup. It is deleted unless it was renamed, also if
  /// Ctrl-C ends the process.
  private record PartialBackup(Path folder, Thread hook) implements AutoCloseable {
    PartialBackup(Path folder) {
      this(folder, Thread.ofPlatform().unstarted(() -> remove(folder)));
      Runtime.getRuntime().addShutdownHook(hook);
    }

    @Override
    public void close() {
      try {
        Runtime.getRuntime().removeShutdownHook(hook);
      } catch (IllegalStateException ending) {
        return; // the hook runs
      }
      remove(folder);
    }

    private static void remove(Path folder) {
      try {
        if (Files.exists(folder)) {
          new DataFolder(folder).remove();
        }
      } catch (IOException left) {
        System.err.println("cannot remove the incomplete backup " + folder + ": " + left);
      }
    }
  }
}
