package toystore.platform.storage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RowChecksumTest {
  @TempDir Path folder;
  private Connection connection;

  @BeforeEach
  void writeARow() throws SQLException {
    connection = new MigrationDataSource(folder.resolve("rows.db")).getConnection();
    run(
        "CREATE TABLE toy (id INTEGER PRIMARY KEY, name TEXT, price INTEGER, hash BLOB,"
            + " checksum INTEGER) STRICT");
    var insert =
        new ConnectionDatabase(connection)
            .statement("INSERT INTO toy (id, name, price, hash, checksum) VALUES (?, ?, ?, ?, ?)");
    insert.set(1).set("Élan").set(2599).set(new byte[] {1, 2}).addWithChecksum();
    insert.set(2).set(null).set(null).set(null).addWithChecksum();
  }

  @AfterEach
  void close() throws SQLException {
    connection.close();
  }

  @Test
  void unchangedRowPasses() throws SQLException {
    check(1);
    check(2);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "name = 'Elan'",
        "name = NULL",
        "price = 2598",
        "price = NULL",
        "hash = x'0103'",
        "hash = x'010200'",
        "checksum = checksum + 1",
        "checksum = NULL",
        "id = 3"
      })
  void changedValueIsDetectedAndRowIsNamed(String change) throws SQLException {
    run("UPDATE toy SET " + change + " WHERE id = 1");

    assertThatThrownBy(() -> check(change.equals("id = 3") ? 3 : 1))
        .isInstanceOf(CorruptDataException.class)
        .hasMessageMatching(
            "damaged row: checksum mismatch in table toy, id [13], database "
                + folder
                + "/rows.db");
  }

  @Test
  void rowChecksumInMigrationsEqualsChecksumInJava() throws SQLException {
    run("UPDATE toy SET checksum = row_checksum(id, name, price, hash)");

    check(1);
    check(2);
  }

  @Test
  void differentRowsHaveDifferentChecksums() {
    assertThat(
            Stream.of(
                    new RowChecksum().add("ab").add("c"),
                    new RowChecksum().add("a").add("bc"),
                    new RowChecksum().add("abc"),
                    new RowChecksum().add(new byte[] {'a', 'b', 'c'}),
                    new RowChecksum().add("").add(null),
                    new RowChecksum().add(null).add(""),
                    new RowChecksum().add(0),
                    new RowChecksum().add(null))
                .map(RowChecksum::value))
        .doesNotHaveDuplicates();
  }

  private void check(long id) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery("SELECT * FROM toy WHERE id = " + id)) {
      assertThat(row.next()).isTrue();
      RowChecksum.check(row, 1, 5, "toy", 1);
    }
  }

  private void run(String sql) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }
}
