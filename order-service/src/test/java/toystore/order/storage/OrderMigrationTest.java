package toystore.order.storage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.InstantSource;
import java.util.List;
import java.util.Locale;
import org.flywaydb.core.Flyway;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import toystore.order.domain.Cart;
import toystore.order.domain.CartContents;
import toystore.order.domain.CartLine;
import toystore.order.domain.CartOwner;
import toystore.platform.storage.MigrationDataSource;
import toystore.platform.storage.SqliteFile;

class OrderMigrationTest {
  @TempDir Path folder;

  @Test
  void databaseWithAnOrderBookKeepsItsPurchasesAndCarts() throws Exception {
    Path path = folder.resolve("order.db");
    migrate(path, "6");
    try (Connection connection = new MigrationDataSource(path).getConnection();
        Statement statement = connection.createStatement()) {
      statement.executeUpdate("INSERT INTO book VALUES (1, 0, 'k', 'ORDER', 0, '[]', 7, 1)");
      String cart = "7, '[[3,\"Tux 熊\",2,2599]]'";
      statement.executeUpdate(
          String.format(
              Locale.ROOT, "INSERT INTO saved_cart VALUES (%1$s, row_checksum(%1$s))", cart));
      String purchase =
          "'p', 'RETURNED', 7, 11, 's' || char(10) || 'k', 1, '[[3,\"Tux 熊\",2,2599]]', 0, '[]', 5,"
              + " 4, 6, 1, 9";
      statement.executeUpdate(
          String.format(
              Locale.ROOT, "INSERT INTO purchase VALUES (%1$s, row_checksum(%1$s))", purchase));
    }
    try (SqliteFile file = SqliteFile.open(path, "db/order")) {
      var cart = new Cart(List.of(new CartLine(3, "Tux 熊", 2, 2599)));
      assertThat(CartStore.find(file.writing(), new CartOwner(7, 11)))
          .isEqualTo(new CartContents(null, cart));
      assertThat(PurchaseStore.find(file.writing(), "p").orElseThrow().cart()).isEqualTo(cart);
      assertThat(new OrderBatchStore(file, InstantSource.system()).lastNumber()).isEqualTo(9);
      assertThatExceptionOfType(SQLException.class)
          .isThrownBy(() -> file.writing().prepareStatement("SELECT * FROM book"))
          .withMessageContaining("no such table");
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
                + String.format(
                    Locale.ROOT, " VALUES (%s, 7, 1, 'k', 1, '[]', 1, '[]', 0, 0)", purchase));
      }
      for (String line : List.of("1, 7, 5, 0", "2, 7, 2, 0", "3, 8, 1, 0", "4, 7, 9, 1")) {
        statement.executeUpdate(
            "INSERT INTO purchase_line (id, buyer_id, quantity, returned, item_id, name,"
                + String.format(
                    Locale.ROOT,
                    " price_cents, sold_at, checksum) VALUES (%s, 6, 'x', 1, 0, 0)",
                    line));
      }
    }
    try (SqliteFile file = SqliteFile.open(path, "db/order")) {
      Connection reading = file.writing();
      assertThat(UnitTotalStore.find(reading, UnitTotalStore.buyer(7))).isEqualTo(7);
      assertThat(UnitTotalStore.find(reading, UnitTotalStore.buyer(8))).isEqualTo(1);
      assertThat(UnitTotalStore.find(reading, UnitTotalStore.seller(0))).isEqualTo(7);
      assertThat(UnitTotalStore.find(reading, UnitTotalStore.item(6))).isEqualTo(7);
      assertThat(UnitTotalStore.difference(reading)).isEmpty();
      try (Statement statement = reading.createStatement()) {
        statement.executeUpdate("UPDATE purchase SET state = 'CAPTURED' WHERE id = 'b'");
        assertThat(UnitTotalStore.difference(reading))
            .contains("units of all sellers: the purchases have 8, the total is 7");
        statement.executeUpdate("UPDATE purchase_line SET quantity = 6 WHERE id = 1");
        assertThat(UnitTotalStore.difference(reading))
            .contains("units of buyer 7: the purchases have 8, the total is 7");
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
