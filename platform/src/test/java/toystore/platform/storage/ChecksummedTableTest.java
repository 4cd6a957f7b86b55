package toystore.platform.storage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@SuppressWarnings("NullAway.Init") // opened before each test
class ChecksummedTableTest {
  private static final ChecksummedTable<Toy> TOYS =
      new ChecksummedTable<>(
          "toy",
          "id",
          List.of("id", "name", "price"),
          (row, toy) -> row.set(toy.id()).set(toy.name()).set(toy.price()),
          row -> new Toy(row.getLong("id"), row.getString("name"), row.getLong("price"), null));

  /// The same table after a migration has added the column `owner`.
  private static final ChecksummedTable<Toy> OWNED =
      new ChecksummedTable<>(
          "toy",
          "id",
          List.of("id", "owner", "name", "price"),
          (row, toy) -> row.set(toy.id()).set(toy.owner()).set(toy.name()).set(toy.price()),
          row ->
              new Toy(
                  row.getLong("id"),
                  row.getString("name"),
                  row.getLong("price"),
                  row.getString("owner")));

  @TempDir Path folder;
  private Connection connection;

  private record Toy(long id, String name, long price, @Nullable String owner) {
    Toy(long id, String name, long price) {
      this(id, name, price, null);
    }
  }

  @BeforeEach
  void open() throws SQLException {
    connection = new MigrationDataSource(folder.resolve("toys.db")).getConnection();
    run("CREATE TABLE toy (name TEXT, id INTEGER PRIMARY KEY, checksum INTEGER, price INTEGER)");
  }

  @AfterEach
  void close() throws SQLException {
    connection.close();
  }

  @Test
  void rowsAreReadBackWithColumnsInAnyOrder() throws SQLException {
    var tux = new Toy(1, "Tux", 2599);
    var whale = new Toy(2, "Whale", 3499);
    var writer = TOYS.inserts(new ConnectionDatabase(connection));
    writer.put(tux);
    writer.put(whale);

    assertThat(TOYS.rows(connection, "ORDER BY id")).containsExactly(tux, whale);
    assertThat(TOYS.row(connection, "WHERE name = ?", "Whale")).contains(whale);
    assertThat(TOYS.row(connection, "WHERE price > ?", 5000)).isEmpty();
  }

  @Test
  void upsertReplacesExistingRow() throws SQLException {
    var writer = TOYS.upserts(new ConnectionDatabase(connection));
    writer.put(new Toy(1, "Tux", 2599));
    writer.put(new Toy(1, "Tux", 100));

    assertThat(TOYS.rows(connection, "")).containsExactly(new Toy(1, "Tux", 100));
  }

  @Test
  void migrationAddsColumnAndDamagedRowStaysDetectable() throws SQLException {
    var writer = TOYS.inserts(new ConnectionDatabase(connection));
    writer.put(new Toy(1, "Tux", 2599));
    writer.put(new Toy(2, "Whale", 3499));
    run("UPDATE toy SET price = 1 WHERE id = 2");

    run("ALTER TABLE toy ADD COLUMN owner TEXT");
    run(
        """
        UPDATE toy SET checksum = row_checksum(id, owner, name, price)
        WHERE checksum = row_checksum(id, name, price)
        """);
    OWNED.upserts(new ConnectionDatabase(connection)).put(new Toy(3, "Bird", 3999, "somebody"));

    assertThat(OWNED.rows(connection, "WHERE id <> 2 ORDER BY id"))
        .containsExactly(new Toy(1, "Tux", 2599), new Toy(3, "Bird", 3999, "somebody"));
    assertThatExceptionOfType(CorruptDataException.class)
        .isThrownBy(() -> OWNED.rows(connection, ""))
        .withMessageContaining("damaged row: checksum mismatch in table toy, id 2,");
  }

  @Test
  void damagedRowIsLeftOutOfIntactRowsAndNotCounted() throws SQLException {
    var writer = TOYS.inserts(new ConnectionDatabase(connection));
    for (long id = 1; id <= 4; id++) {
      writer.put(new Toy(id, "Tux", 7));
    }
    run("UPDATE toy SET price = 1 WHERE id = 2");

    assertThat(TOYS.intactRows(connection, 2, "WHERE id > ? ORDER BY id", 0))
        .containsExactly(new Toy(1, "Tux", 7), new Toy(3, "Tux", 7));
  }

  @Test
  void gapInConsecutiveRowsIsReported() throws SQLException {
    var writer = TOYS.inserts(new ConnectionDatabase(connection));
    for (long id : List.of(0, 1, 2, 4)) {
      writer.put(new Toy(id, "Tux", 7));
    }

    assertThat(TOYS.run(connection, "price = ?", 7, 1, 2))
        .containsExactly(new Toy(1, "Tux", 7), new Toy(2, "Tux", 7));
    assertThat(TOYS.run(connection, "price = ?", 8, 0, 2)).isEmpty();
    assertThatExceptionOfType(CorruptDataException.class)
        .isThrownBy(() -> TOYS.run(connection, "price = ?", 7, 1, 9))
        .withMessage("damaged table: toy 3 is missing");
  }

  private void run(String sql) throws SQLException {
    try (var statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }
}
