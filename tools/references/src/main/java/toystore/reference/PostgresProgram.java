package toystore.reference;

import java.io.IOException;
import java.nio.file.Path;
import java.sql.SQLException;
import toystore.testkit.PostgresCluster;
import toystore.testkit.PostgresPair;

/// PostgreSQL on free ports, for a store: one server, or a primary that commits when its standby
/// has the commit, too. Each commit is synced. It prints `ready URL`, and ends with its standard
/// input or by SIGTERM.
public final class PostgresProgram {
  private PostgresProgram() {}

  /// @param arguments `single` or `replicated`, and the folder for the files of the latter, which
  ///   is created
  public static void main(String[] arguments) throws IOException, SQLException {
    String url =
        arguments[0].equals("replicated")
            ? new PostgresPair(Path.of(arguments[1])).database("toystore")
            : PostgresCluster.database("toystore");
    System.out.println("ready " + url);
    System.in.readAllBytes();
    System.exit(0); // the servers end with the JVM
  }
}
