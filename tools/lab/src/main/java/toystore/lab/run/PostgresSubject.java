package toystore.lab.run;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import toystore.testkit.PostgresCluster;
import toystore.testkit.PostgresPair;

/// A store on PostgreSQL, which is started before it. The CPU time of PostgreSQL is not counted.
///
/// @param replicated whether a commit is also on a standby before it is acknowledged
record PostgresSubject(LauncherSubject store, boolean replicated) implements Subject {
  @Override
  public String name() {
    return store.name();
  }

  @Override
  public RunningSubject start(Path folder) throws IOException, InterruptedException {
    var running = new RunningSubject();
    try {
      String database = "toystore";
      String url;
      if (replicated) {
        running.servers = new PostgresPair(Files.createDirectories(folder.resolve("postgresql")));
        url = running.servers.database(database);
      } else {
        url = PostgresCluster.database(database);
      }
      store.start(
          folder,
          running,
          List.of("--database", url),
          Map.of("TOYSTORE_DATABASE_USER", "postgres"));
      return running;
    } catch (SQLException e) {
      running.close();
      throw new IOException(e);
    } catch (IOException | InterruptedException | RuntimeException e) {
      running.close();
      throw e;
    }
  }
}
