package toystore.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.sql.DriverManager;
import java.sql.SQLException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class BackupDatabaseTest {
  @TempDir Path folder;

  @Test
  void ordersEndWithTheLastOrderOfTheStoresSeries() throws SQLException {
    Path book =
        book(
            "CREATE TABLE book (series INTEGER, number INTEGER, key TEXT)",
            "INSERT INTO book VALUES (1, 0, 'a'), (1, 1, 'b'), (2, 0, 'c'), (2, 7, 'd')");
    assertThat(BackupDatabase.orders(book)).isEqualTo(new BackupDatabase.End(2, "b"));
  }

  @Test
  void ordersOfABookWithoutSeriesAreRead() throws SQLException {
    Path book =
        book(
            "CREATE TABLE book (number INTEGER PRIMARY KEY, key TEXT)",
            "INSERT INTO book VALUES (0, 'a'), (1, 'b')");
    assertThat(BackupDatabase.orders(book)).isEqualTo(new BackupDatabase.End(2, "b"));
  }

  private Path book(String table, String rows) throws SQLException {
    Path book = folder.resolve("order.db");
    try (var connection = DriverManager.getConnection("jdbc:sqlite:" + book);
        var statement = connection.createStatement()) {
      statement.executeUpdate(table);
      statement.executeUpdate(rows);
    }
    return book;
  }
}
