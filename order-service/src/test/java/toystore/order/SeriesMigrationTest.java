package toystore.order;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.Statement;
import java.time.Instant;
import java.util.List;
import org.flywaydb.core.Flyway;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import toystore.platform.storage.CorruptDataException;
import toystore.platform.storage.MigrationDataSource;
import toystore.platform.storage.SqliteFile;

class SeriesMigrationTest {
  @TempDir Path folder;

  @Test
  void migrationAssignsOldOrdersToTheStoreSeriesAndKeepsCorruptRowsCorrupt() throws Exception {
    Path path = folder.resolve("order.db");
    String url = "jdbc:sqlite:" + path;
    migrate(path, "1");
    try (Connection connection = DriverManager.getConnection(url);
        Statement statement = connection.createStatement()) {
      statement.executeUpdate(
          "INSERT INTO book VALUES (0, 's' || char(10) || 'k', 'BUY', 1,"
              + " '[[\"Tux \\\"熊\\\"\",2,2599],[\"Whale\",1,3499]]', 7), (1, 'k1', 'ORDER', 0,"
              + " '[[\"Tux\",1,2599]]', 8), (2, 'k2', 'ORDER', 0, '[[\"Tux\",1,2599]]', 9)");
    }
    migrate(path, "2");
    try (Connection connection = DriverManager.getConnection(url);
        Statement statement = connection.createStatement()) {
      statement.executeUpdate("UPDATE book SET lines = '[[\"Tux\",9,2599]]' WHERE number = 1");
    }

    try (SqliteFile file = SqliteFile.open(path, "db/order")) {
      var reading = file.writing();
      assertThat(OrderBookStore.find(reading, 0))
          .contains(
              new Order(
                  Order.Series.STORE,
                  0,
                  "s\nk",
                  Order.Kind.BUY,
                  true,
                  List.of(
                      new Order.Line(0, "Tux \"熊\"", 2, 2599), new Order.Line(0, "Whale", 1, 3499)),
                  Instant.ofEpochMilli(7)));
      assertThat(OrderBookStore.position(reading, Order.Series.STORE))
          .isEqualTo(new Checkpoint(3, "k2"));
      assertThat(OrderBookStore.position(reading, Order.Series.PURCHASES))
          .isEqualTo(Checkpoint.START);
      assertThatExceptionOfType(CorruptDataException.class)
          .isThrownBy(() -> OrderBookStore.find(reading, 1));
    }
  }

  private static void migrate(Path path, String target) {
    Flyway.configure()
        .dataSource(new MigrationDataSource(path))
        .locations("classpath:db/file", "classpath:db/order")
        .target(target)
        .load()
        .migrate();
  }
}
