package toystore.writer;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Types;
import org.jspecify.annotations.Nullable;

/// A statement that writes a row: its values in the order of the columns, and behind them their
/// [Checksum]. One thread.
///
/// ```java
/// insert.set(sale.number()).set(sale.key()).execute(); // INSERT INTO … VALUES (?, ?, ?)
/// ```
public final class RowStatement implements AutoCloseable {
  private final PreparedStatement statement;
  private Checksum checksum = new Checksum();
  private int column;

  /// @param sql with a parameter for each column, the last for `checksum`
  public RowStatement(Connection connection, String sql) throws SQLException {
    this.statement = connection.prepareStatement(sql);
  }

  public RowStatement set(long value) throws SQLException {
    statement.setLong(++column, value);
    checksum.add(value);
    return this;
  }

  public RowStatement set(boolean value) throws SQLException {
    return set(value ? 1L : 0L);
  }

  public RowStatement set(@Nullable Long value) throws SQLException {
    return value == null ? setNull() : set(value.longValue());
  }

  public RowStatement set(@Nullable String text) throws SQLException {
    statement.setString(++column, text);
    checksum.add(text);
    return this;
  }

  public RowStatement set(byte[] bytes) throws SQLException {
    statement.setBytes(++column, bytes);
    checksum.add(bytes);
    return this;
  }

  public RowStatement setNull() throws SQLException {
    statement.setNull(++column, Types.NULL);
    checksum.addNull();
    return this;
  }

  /// Writes the row, and begins the next.
  public void execute() throws SQLException {
    statement.setLong(++column, checksum.value());
    checksum = new Checksum();
    column = 0;
    statement.executeUpdate();
  }

  @Override
  public void close() throws SQLException {
    statement.close();
  }
}
