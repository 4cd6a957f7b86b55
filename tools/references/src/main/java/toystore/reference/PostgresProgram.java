package toystore.reference;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.SQLException;
import toystore.testkit.PostgresPair;

/// PostgreSQL on free ports, for a store: one server, or a primary that commits when its standby
/// has the commit, too. Each commit is synced. It prints `ready URL`, and ends with its standard
/// input or by SIGTERM.
public final class PostgresProgram {
  private PostgresProgram() {}

  /// @param arguments `single` or `replicated`, and the folder for the files, which is created
  public static void main(String[] arguments) throws IOException, SQLException {
    Path folder = Path.of(arguments[1]);
    System.out.println("ready " + (arguments[0].equals("replicated") ? pair(folder) : one(folder)));
    System.in.readAllBytes();
    System.exit(0); // the servers end with the JVM
  }

  private static String pair(Path folder) throws IOException, SQLException {
    return new PostgresPair(folder).database("toystore");
  }

  private static String one(Path folder) throws IOException {
    int port =
        EmbeddedPostgres.builder()
            .setDataDirectory(folder)
            .setServerConfig("fsync", "on")
            .setServerConfig("synchronous_commit", "on")
            .start()
            .getPort();
    return "jdbc:postgresql://127.0.0.1:" + port + "/postgres";
  }
}
