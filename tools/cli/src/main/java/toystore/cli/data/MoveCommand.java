package toystore.cli.data;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;
import toystore.cli.command.CommandRefusal;
import toystore.cli.command.ShutdownHook;
import toystore.cli.launch.DataFolder;
import toystore.cli.launch.DataOption;
import toystore.cli.launch.JavaCommandLine;

/// `./toystore move`: copies a stopped store from its SQLite files to PostgreSQL. The program that
/// copies is in the module of the services, which have the migrations.
@Command(
    name = "move",
    description = "Copy a stopped store from SQLite to PostgreSQL.",
    footer = {
      "",
      "FROM is not changed. TO must have no data. If the copy fails, nothing of it remains. At the "
          + "end the numbers of rows and the checksums of FROM and TO are compared. For the user of the "
          + "database, see up --database."
    })
public final class MoveCommand implements Callable<Integer> {
  private static final String URL = "jdbc:postgresql://";

  @Parameters(paramLabel = "FROM", description = "The data folder.")
  private Path from = Path.of("");

  @Parameters(paramLabel = "TO", description = URL + "HOST:PORT/DATABASE.")
  private String to = "";

  @Override
  public Integer call() throws IOException, InterruptedException {
    if (!to.startsWith(URL)) {
      throw CommandRefusal.usage("TO must be a URL that begins with %s; got %s", URL, to);
    }
    DataFolder folder = DataOption.folder(from);
    folder.requireSqlite("start it with ./toystore up --database and this URL");
    folder.requireStore();
    try (FileChannel _ = folder.claim()) {
      folder.createStoreId();
      List<String> command =
          JavaCommandLine.ofStore("toystore.store.StoreMove", folder.path().toString(), to);
      // the program prints why it copied nothing
      int exitCode = ShutdownHook.waitFor(new ProcessBuilder(command).inheritIO().start());
      if (exitCode == 0) {
        folder.writePostgresql(to);
        System.out.printf(
            Locale.ROOT,
            "start the store with: ./toystore up --data '%s' --database '%s'%n",
            folder.path(),
            to);
      }
      return exitCode;
    }
  }
}
