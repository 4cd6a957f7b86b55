package toystore.bazaarlab;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.List;

/// A SQLite database with the settings of the services: a write-ahead log that is synced at each
/// commit. One thread at a time.
final class SqliteDisk implements StockMap.Disk, AutoCloseable {
  private final Path folder;
  private final Connection connection;

  private SqliteDisk(Path folder, Connection connection) {
    this.folder = folder;
    this.connection = connection;
  }

  /// Creates a database in a new temporary folder.
  ///
  /// @throws IllegalStateException if the disk fails; the other methods do the same
  static SqliteDisk open() {
    try {
      Path folder = Files.createTempDirectory("toystore-lab-locks");
      var connection = DriverManager.getConnection("jdbc:sqlite:" + folder.resolve("stock.db"));
      try (var statement = connection.createStatement()) {
        statement.execute("PRAGMA journal_mode=WAL");
        statement.execute("PRAGMA synchronous=FULL");
        statement.execute("CREATE TABLE stock (product INTEGER PRIMARY KEY, quantity INTEGER)");
      }
      connection.setAutoCommit(false);
      return new SqliteDisk(folder, connection);
    } catch (IOException | SQLException e) {
      throw new IllegalStateException("cannot create a database in the temporary folder: " + e, e);
    }
  }

  @Override
  public void commit(List<Integer> products) {
    try (var add =
        connection.prepareStatement(
            "INSERT INTO stock VALUES (?, 1) ON CONFLICT DO UPDATE SET quantity = quantity + 1")) {
      for (int product : products) {
        add.setInt(1, product);
        add.addBatch();
      }
      add.executeBatch();
      connection.commit();
    } catch (SQLException e) {
      throw new IllegalStateException(folder + ": " + e, e);
    }
  }

  /// The sum of all committed additions.
  long quantity() {
    try (var statement = connection.createStatement();
        var sum = statement.executeQuery("SELECT total(quantity) FROM stock")) {
      return sum.getLong(1);
    } catch (SQLException e) {
      throw new IllegalStateException(folder + ": " + e, e);
    }
  }

  /// Closes the database and deletes its files.
  @Override
  public void close() {
    try {
      connection.close();
      try (var files = Files.list(folder)) {
        for (Path file : files.toList()) {
          Files.delete(file);
        }
      }
      Files.delete(folder);
    } catch (IOException | SQLException e) {
      throw new IllegalStateException(folder + ": " + e, e);
    }
  }
}
