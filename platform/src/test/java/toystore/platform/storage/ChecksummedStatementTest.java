package toystore.platform.storage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

@SuppressWarnings("NullAway.Init") // opened before each test
class ChecksummedStatementTest {
  private Connection connection;

  @BeforeEach
  void open() throws SQLException {
    connection = DriverManager.getConnection("jdbc:sqlite::memory:");
    try (var statement = connection.createStatement()) {
      statement.execute("CREATE TABLE it (id, yes, no, number, none, text, bytes, checksum)");
    }
  }

  @AfterEach
  void close() throws SQLException {
    connection.close();
  }

  @Test
  void valuesAreWrittenInOrderWithTheirChecksum() throws SQLException {
    var row =
        new ChecksummedStatement(
            new ConnectionDatabase(connection)
                .statement("INSERT INTO it VALUES (?, ?, ?, ?, ?, ?, ?, ?)"));
    for (long id = 1; id <= 2; id++) {
      row.set(id)
          .set(true)
          .set(false)
          .set((Long) 7L)
          .set((Long) null)
          .set("text")
          .set(new byte[] {1, 2})
          .add();
    }
    try (var statement = connection.createStatement();
        ResultSet rows = statement.executeQuery("SELECT * FROM it ORDER BY id")) {
      for (long id = 1; id <= 2; id++) {
        assertThat(rows.next()).isTrue();
        assertThat(rows.getLong("id")).isEqualTo(id);
        assertThat(rows.getLong("yes")).isEqualTo(1);
        assertThat(rows.getObject("no")).isEqualTo(0);
        assertThat(rows.getLong("number")).isEqualTo(7);
        assertThat(rows.getObject("none")).isNull();
        assertThat(rows.getString("text")).isEqualTo("text");
        assertThat(rows.getBytes("bytes")).containsExactly(1, 2);
        assertThatCode(() -> RowChecksum.check(rows, 1, 8, "it", 1)).doesNotThrowAnyException();
      }
    }
  }
}
