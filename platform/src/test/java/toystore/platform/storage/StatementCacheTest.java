package toystore.platform.storage;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The statements that the driver prepared are those of the results.
@SuppressWarnings("NullAway.Init") // set before each test
class StatementCacheTest {
  private static final String ABSOLUTE = "SELECT abs(?)";

  @TempDir Path folder;
  private Connection connection;

  @BeforeEach
  void open() throws SQLException {
    connection =
        StatementCache.of(SqliteFile.dataSource(folder.resolve("test.db"), false).getConnection());
  }

  @AfterEach
  void close() throws SQLException {
    connection.close();
  }

  @Test
  void closedStatementServesTheNextUseOfItsText() throws SQLException {
    ResultSet first;
    try (PreparedStatement statement = connection.prepareStatement(ABSOLUTE)) {
      first = query(statement, -1);
      assertThat(first.getLong(1)).isEqualTo(1);
    }
    assertThat(first.isClosed()).as("the read has ended").isTrue();
    try (PreparedStatement statement = connection.prepareStatement(ABSOLUTE)) {
      ResultSet second = query(statement, -2);
      assertThat(second.getLong(1)).isEqualTo(2);
      assertThat(second.getStatement()).isSameAs(first.getStatement());
    }
  }

  @Test
  void statementThatWasClosedTwiceServesTheNextUse() throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(ABSOLUTE)) {
      statement.close();
    }
    try (PreparedStatement statement = connection.prepareStatement(ABSOLUTE)) {
      assertThat(query(statement, -2).getLong(1)).isEqualTo(2);
    }
  }

  @Test
  void usesAtTheSameTimeAreStatementsOfTheirOwn() throws SQLException {
    try (PreparedStatement outer = connection.prepareStatement(ABSOLUTE)) {
      ResultSet rows = query(outer, -1);
      try (PreparedStatement inner = connection.prepareStatement(ABSOLUTE)) {
        assertThat(query(inner, -2).getLong(1)).isEqualTo(2);
      }
      assertThat(rows.getLong(1)).isEqualTo(1);
    }
  }

  @Test
  void statementIsUsableAfterOneWithItsTextFailed() throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(ABSOLUTE)) {
      assertThatThrownBy(() -> query(statement, Long.MIN_VALUE)).isInstanceOf(SQLException.class);
    }
    try (PreparedStatement statement = connection.prepareStatement(ABSOLUTE)) {
      assertThat(query(statement, -3).getLong(1)).isEqualTo(3);
    }
  }

  @Test
  void leastRecentlyUsedStatementsAreClosed() throws SQLException {
    ResultSet oldest = null;
    for (int number = 0; number < 200; number++) {
      try (PreparedStatement statement = connection.prepareStatement("SELECT abs(?) + " + number)) {
        ResultSet row = query(statement, -1);
        oldest = oldest == null ? row : oldest;
      }
    }
    assertThat(requireNonNull(oldest).getStatement().isClosed()).isTrue();
  }

  private static ResultSet query(PreparedStatement statement, long value) throws SQLException {
    statement.setLong(1, value);
    ResultSet row = statement.executeQuery();
    row.next();
    return row;
  }
}
