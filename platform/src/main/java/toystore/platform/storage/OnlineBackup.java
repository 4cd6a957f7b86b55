package toystore.platform.storage;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Locale;
import org.sqlite.SQLiteConfig;
import org.sqlite.SQLiteConnection;
import org.sqlite.SQLiteErrorCode;

/// Copies a database, also while a service uses it. `./toystore backup` calls it. In containers it
/// is a program of its own, which writes the copy to standard output: `docker/image/backup`.
public final class OnlineBackup {
  private static final int BUSY_MILLIS = 5_000;

  private OnlineBackup() {}

  /// `OnlineBackup DATABASE`. Exits with 1 and one line on standard error if there is no complete
  /// copy.
  public static void main(String[] args) {
    try (var out = new FileOutputStream(FileDescriptor.out)) { // unlike System.out, it throws
      write(Path.of(args[0]), out);
    } catch (IOException | SQLException e) {
      System.err.printf(Locale.ROOT, "backup of %s failed: %s%n", args[0], e);
      System.exit(1);
    }
  }

  /// Writes a checked copy. It is first made in a temporary file beside the database, readable by
  /// its owner only.
  static void write(Path database, OutputStream out) throws IOException, SQLException {
    Path copy = Files.createTempFile(database.toAbsolutePath().getParent(), "backup-", ".db");
    copy.toFile().deleteOnExit(); // also on SIGTERM
    try {
      copy(database, copy);
      String problem = problem(copy);
      if (!problem.isEmpty()) {
        throw new SQLException("the copy is damaged: " + problem);
      }
      Files.copy(copy, out);
    } finally {
      Files.delete(copy);
    }
  }

  /// Copies all committed data with SQLite's online backup, in one step and therefore in one read
  /// transaction. With smaller steps every commit of the store would restart the copy, so that
  /// under constant load it would never end. Writers are not blocked.
  public static void copy(Path from, Path to) throws SQLException {
    try (Connection source = open(from, "")) {
      int code =
          source
              .unwrap(SQLiteConnection.class)
              .getDatabase()
              .backup("main", to.toUri().toString(), null, 0, 0, -1);
      if (code != SQLiteErrorCode.SQLITE_OK.code) {
        throw new SQLException(SQLiteErrorCode.getErrorCode(code).message);
      }
    }
  }

  /// The first problem that SQLite's integrity check finds in a copy, or an empty string.
  public static String problem(Path copy) throws SQLException {
    try (Connection connection = open(copy, "?immutable=1");
        Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery("PRAGMA integrity_check(1)")) {
      String found = rows.next() ? rows.getString(1) : "nothing";
      return found.equals("ok") ? "" : found.lines().findFirst().orElse("");
    }
  }

  private static Connection open(Path file, String parameters) throws SQLException {
    var config = new SQLiteConfig();
    config.setReadOnly(true);
    config.setBusyTimeout(BUSY_MILLIS);
    return config.createConnection("jdbc:sqlite:" + file.toUri() + parameters);
  }
}
