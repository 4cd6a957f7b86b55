package toystore.cli.data;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class BackupDatabaseTest {
  @TempDir Path folder;

  @Test
  void lastPurchaseIsTheHighestNumberOfASaleOrReturn() throws SQLException {
    Path order =
        database(
            "order.db",
            "CREATE TABLE purchase (sale_number INTEGER, return_number INTEGER, sold_at INTEGER)",
            "INSERT INTO purchase VALUES (3, 5, 7000), (4, NULL, 8000), (NULL, NULL, NULL)");
    assertThat(BackupDatabase.last("order", order))
        .containsExactly(
            new BackupDatabase.Last("purchase or return", 5, Instant.ofEpochSecond(8)));
  }

  @Test
  void eachSeriesOfTheCatalogHasItsLastNumber() throws SQLException {
    Path catalog =
        database(
            "catalog.db",
            "CREATE TABLE sale (series INTEGER, number INTEGER, time INTEGER)",
            "INSERT INTO sale VALUES (1, 0, 1000), (1, 7, 2000), (2, 9, 3000)");
    assertThat(BackupDatabase.last("catalog", catalog))
        .map(Object::toString)
        .containsExactly(
            "order 7 (1970-01-01T00:00:02Z)", "purchase or return 9 (1970-01-01T00:00:03Z)");
  }

  @Test
  void databaseOfAnotherVersionHasNoKnownNumbers() throws SQLException {
    Path order = database("order.db", "CREATE TABLE book (number INTEGER)", "DELETE FROM book");
    assertThat(BackupDatabase.last("order", order)).isEqualTo(List.of());
  }

  private Path database(String file, String... statements) throws SQLException {
    Path path = folder.resolve(file);
    try (var connection = DriverManager.getConnection("jdbc:sqlite:" + path);
        var statement = connection.createStatement()) {
      for (String sql : statements) {
        statement.executeUpdate(sql);
      }
    }
    return path;
  }
}
