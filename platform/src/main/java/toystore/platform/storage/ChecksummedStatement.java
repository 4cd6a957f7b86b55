package toystore.platform.storage;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Types;
import org.jspecify.annotations.Nullable;

/// Writes a row of a [ChecksummedTable]: the values in column order, then their [Checksum]. One
/// thread. Closed with its connection.
public final class ChecksummedStatement {
  private final PreparedStatement statement;
  private RowChecksum checksum = new RowChecksum();
  private int column;

  /// @param sql with one parameter per column; the last is `checksum`
  ChecksummedStatement(Connection connection, String sql) throws SQLException {
    this.statement = connection.prepareStatement(sql);
  }

  public ChecksummedStatement set(long value) throws SQLException {
    statement.setLong(++column, value);
    checksum.add(value);
    return this;
  }

  public ChecksummedStatement set(boolean value) throws SQLException {
    return set(value ? 1L : 0L);
  }

  public ChecksummedStatement set(@Nullable Long value) throws SQLException {
    return value == null ? setNull() : set(value.longValue());
  }

  public ChecksummedStatement set(@Nullable String text) throws SQLException {
    statement.setString(++column, text);
    checksum.add(text);
    return this;
  }

  public ChecksummedStatement set(byte[] bytes) throws SQLException {
    statement.setBytes(++column, bytes);
    checksum.add(bytes);
    return this;
  }

  public ChecksummedStatement setNull() throws SQLException {
    statement.setNull(++column, Types.NULL);
    checksum.addNull();
    return this;
  }

  /// Writes the row and starts the next one.
  void execute() throws SQLException {
    statement.setLong(++column, checksum.value());
    checksum = new RowChecksum();
    column = 0;
    statement.executeUpdate();
  }
}
