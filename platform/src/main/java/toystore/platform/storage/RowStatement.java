package toystore.platform.storage;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Types;
import org.jspecify.annotations.Nullable;

/// A statement that writes a row of a [Table]: its values in the order of the columns, and behind
/// them their [Checksum]. One thread. It ends with its connection.
public final class RowStatement {
  private final PreparedStatement statement;
  private Checksum checksum = new Checksum();
  private int column;

  /// @param sql with a parameter for each column, the last for `checksum`
  RowStatement(Connection connection, String sql) throws SQLException {
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
  void execute() throws SQLException {
    statement.setLong(++column, checksum.value());
    checksum = new Checksum();
    column = 0;
    statement.executeUpdate();
  }
}
