package toystore.cli.data;

import static toystore.common.RootLocale.format;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import toystore.cli.launch.DataFolder;

/// The databases of a store, with only the tables and columns that a backup reads. The key of a
/// sale consists of a prefix and the number of the sale.
final class StoreFiles implements AutoCloseable {
  private static final String SALES =
      "CREATE TABLE sale (series INTEGER, number INTEGER, key TEXT, time INTEGER, PRIMARY KEY (series, number)) WITHOUT ROWID";
  private static final String PURCHASES =
      "CREATE TABLE purchase (sale_number INTEGER, key TEXT, sold_at INTEGER, return_number INTEGER)";

  private static final String SELL = "INSERT INTO sale VALUES (2, ?, ?, 1767323045000)";
  private static final String RECORD = "INSERT INTO purchase VALUES (?, ?, 1767323045000, NULL)";

  private final DataFolder data;
  private final List<Connection> open = new ArrayList<>();

  StoreFiles(DataFolder data) {
    this.data = data;
  }

  /// Creates the files of a running store with this number of sales of items, and of those that are
  /// recorded as purchases. The files are open, and all rows are still in the logs.
  static StoreFiles running(DataFolder data, String prefix, long sales, long purchases)
      throws IOException, SQLException {
    var files = new StoreFiles(data);
    data.claim().close();
    fill(files.connect(Backup.CATALOG, SALES), SELL, prefix, 0, sales);
    fill(files.connect(Backup.ORDER, PURCHASES), RECORD, prefix, 0, purchases);
    return files;
  }

  private Connection connect(String service, String table) throws IOException, SQLException {
    Files.createDirectories(data.database(service).getParent());
    var connection = DriverManager.getConnection("jdbc:sqlite:" + data.database(service));
    open.add(connection);
    try (var statement = connection.createStatement()) {
      statement.execute("PRAGMA journal_mode = WAL");
      statement.execute("PRAGMA wal_autocheckpoint = 0");
      statement.execute(table);
    }
    return connection;
  }

  /// Adds a sale and its purchase, as the services do during a backup.
  void sellOne(String prefix, long number) throws SQLException {
    fill(open.getFirst(), SELL, prefix, number, number + 1);
    fill(open.getLast(), RECORD, prefix, number, number + 1);
  }

  /// Creates the files of a killed store. All commits are in the logs, and no process has the files
  /// open.
  static void killed(DataFolder data, Path elsewhere, String prefix, long sales, long purchases)
      throws IOException, SQLException {
    try (var _ = running(new DataFolder(elsewhere), prefix, sales, purchases)) {
      data.claim().close();
      for (var service : List.of(Backup.CATALOG, Backup.ORDER)) {
        Files.createDirectories(data.database(service).getParent());
        for (var suffix : List.of("", "-wal", "-shm")) {
          var name = service + ".db" + suffix;
          Files.copy(
              elsewhere.resolve(service).resolve(name),
              data.database(service).resolveSibling(name));
        }
      }
    }
  }

  /// Adds a row to the database of another service, in a table with the service's name.
  static void write(DataFolder data, String service, String key) throws IOException, SQLException {
    Files.createDirectories(data.database(service).getParent());
    try (var connection = DriverManager.getConnection("jdbc:sqlite:" + data.database(service));
        var statement = connection.createStatement()) {
      statement.execute(
          format("CREATE TABLE IF NOT EXISTS %s (number INTEGER PRIMARY KEY, key TEXT)", service));
      statement.execute(format("INSERT INTO %s (key) VALUES ('%s')", service, key));
    }
  }

  private static void fill(Connection connection, String insert, String prefix, long from, long to)
      throws SQLException {
    connection.setAutoCommit(false);
    try (var statement = connection.prepareStatement(insert)) {
      for (var number = from; number < to; number++) {
        statement.setLong(1, number);
        statement.setString(2, key(prefix, number));
        statement.executeUpdate();
      }
    }
    connection.commit();
    connection.setAutoCommit(true);
  }

  static String key(String prefix, long number) {
    return prefix + "-" + number;
  }

  /// Returns the last key of a table, as a service that opens the file reads it.
  static String lastKey(Path folder, String service, String table) throws SQLException {
    try (var connection =
            DriverManager.getConnection("jdbc:sqlite:" + folder.resolve(service + ".db"));
        var statement = connection.createStatement();
        var row =
            statement.executeQuery(
                format(
                    "SELECT key FROM %s ORDER BY %s DESC LIMIT 1",
                    table, table.equals("purchase") ? "sale_number" : "number"))) {
      return row.next() ? row.getString(1) : "none";
    }
  }

  @Override
  public void close() throws SQLException {
    for (var connection : open) {
      connection.close();
    }
  }
}
