package toystore.cli.data;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;
import toystore.cli.command.CommandRefusal;
import toystore.cli.command.DurableFiles;
import toystore.cli.command.ShutdownHook;
import toystore.cli.launch.DataFolder;
import toystore.cli.launch.DataOption;
import toystore.cli.launch.JavaCommandLine;
import toystore.cli.launch.Services;

/// `./toystore move`: copies a stopped store from its SQLite files to PostgreSQL, or back. The
/// program that copies is in the module of the services, which have the migrations.
@Command(
    name = "move",
    description = "Copy a stopped store from SQLite to PostgreSQL, or back.",
    footer = {
      "",
      "FROM is not changed. TO must have no data. If the copy fails, nothing of it remains. At the",
      "end the numbers of rows and the checksums of FROM and TO are compared. For the user of the",
      "database, see up --database."
    })
public final class MoveCommand implements Callable<Integer> {
  private static final String URL = "jdbc:postgresql://";

  @Parameters(paramLabel = "FROM", description = "A data folder, or " + URL + "HOST:PORT/DATABASE.")
  private String from = "";

  @Parameters(paramLabel = "TO", description = "The other one: a URL, or a new data folder.")
  private String to = "";

  @Override
  public Integer call() throws IOException, InterruptedException {
    if (from.startsWith(URL) == to.startsWith(URL)) {
      throw CommandRefusal.usage(
          "one of FROM and TO must be a data folder and the other a URL that begins with " + URL);
    }
    List<String> services = Services.ofProject().databases();
    return from.startsWith(URL)
        ? toFolder(DataOption.folder(Path.of(to)), services)
        : toDatabase(DataOption.folder(Path.of(from)), services);
  }

  private int toDatabase(DataFolder folder, List<String> services)
      throws IOException, InterruptedException {
    folder.requireSqlite("start it with ./toystore up --database and this URL");
    folder.requireStore();
    try (DataFolder.Claim _ = folder.claimWith(services)) {
      folder.createStoreId();
      int exitCode = copy(folder.path().toString(), to);
      if (exitCode == 0) {
        folder.writePostgresql(to);
        System.out.printf(
            Locale.ROOT,
            "start the store with: ./toystore up --data %s --database '%s'%n",
            folder.path(),
            to);
      }
      return exitCode;
    }
  }

  private int toFolder(DataFolder folder, List<String> services)
      throws IOException, InterruptedException {
    folder.requireNewOrEmpty();
    try (var unfinished = UnfinishedFolder.beside(folder.path());
        DataFolder.Claim _ = new DataFolder(unfinished.path()).claimWith(services)) {
      int exitCode = copy(from, unfinished.path().toString());
      if (exitCode == 0) {
        DurableFiles.rename(unfinished.path(), folder.path());
        System.out.printf(
            Locale.ROOT, "start the store with: ./toystore up --data %s%n", folder.path());
      }
      return exitCode;
    }
  }

  /// @return the exit code of the program that copies; it has printed why it copied nothing
  private static int copy(String from, String to) throws IOException, InterruptedException {
    List<String> command = JavaCommandLine.ofStore("toystore.store.StoreMove", from, to);
    return ShutdownHook.waitFor(new ProcessBuilder(command).inheritIO().start());
  }
}
