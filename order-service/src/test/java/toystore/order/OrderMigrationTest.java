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

class OrderMigrationTest {
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

  @Test
  void migrationCountsTheUnitsOfEarlierPurchases() throws Exception {
    Path path = folder.resolve("order.db");
    migrate(path, "5");
    try (Connection connection = DriverManager.getConnection("jdbc:sqlite:" + path);
        Statement statement = connection.createStatement()) {
      for (String purchase :
          List.of("'a', 'CAPTURED', 1", "'b', 'SOLD', 3", "'c', 'RETURNED', 4")) {
        statement.executeUpdate(
            "INSERT INTO purchase (id, state, first_line, buyer_id, session_id, key, client_made,"
                + " lines, session_cart, from_saved, begun_at, checksum)"
                + " VALUES (%s, 7, 1, 'k', 1, '[]', 1, '[]', 0, 0)".formatted(purchase));
      }
      for (String line : List.of("1, 7, 5, 0", "2, 7, 2, 0", "3, 8, 1, 0", "4, 7, 9, 1")) {
        statement.executeUpdate(
            "INSERT INTO purchase_line (id, buyer_id, quantity, returned, item_id, name,"
                + " price_cents, sold_at, checksum) VALUES (%s, 1, 'x', 1, 0, 0)".formatted(line));
      }
    }
    try (SqliteFile file = SqliteFile.open(path, "db/order")) {
      Connection reading = file.writing();
      assertThat(UnitTotalStore.find(reading, UnitTotalStore.buyer(7))).isEqualTo(7);
      assertThat(UnitTotalStore.find(reading, UnitTotalStore.buyer(8))).isEqualTo(1);
      assertThat(UnitTotalStore.find(reading, UnitTotalStore.seller(0))).isEqualTo(7);
      assertThat(UnitTotalStore.difference(reading)).isEmpty();
      try (Statement statement = reading.createStatement()) {
        statement.executeUpdate("UPDATE purchase SET state = 'CAPTURED' WHERE id = 'b'");
        assertThat(UnitTotalStore.difference(reading))
            .contains("buyers have 8 units and 8 are captured, but the totals are 8 and 7");
        statement.executeUpdate("UPDATE purchase_line SET quantity = 6 WHERE id = 1");
        assertThat(UnitTotalStore.difference(reading))
            .contains("buyer 7 has 8 units, but the total is 7");
      }
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
