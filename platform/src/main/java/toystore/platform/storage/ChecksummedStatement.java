package toystore.platform.storage;

import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/// Writes a row of a [ChecksummedTable]: the values in column order, then their [RowChecksum]. Used
/// by the writer's thread.
public final class ChecksummedStatement {
  private final WriterStatement statement;
  private RowChecksum checksum = new RowChecksum();

  /// @param statement with one parameter per column; the last is `checksum`
  ChecksummedStatement(WriterStatement statement) {
    this.statement = statement;
  }

  public ChecksummedStatement set(long value) throws SQLException {
    statement.set(value);
    checksum.add(value);
    return this;
  }

  public ChecksummedStatement set(boolean value) throws SQLException {
    return set(value ? 1L : 0L);
  }

  public ChecksummedStatement set(@Nullable Long value) throws SQLException {
    statement.set(value);
    checksum.add(value);
    return this;
  }

  public ChecksummedStatement set(@Nullable String text) throws SQLException {
    statement.set(text);
    checksum.add(text);
    return this;
  }

  public ChecksummedStatement set(byte[] bytes) throws SQLException {
    statement.set(bytes);
    checksum.add(bytes);
    return this;
  }

  /// Writes the row and starts the next one.
  void add() throws SQLException {
    statement.set(checksum.value());
    checksum = new RowChecksum();
    statement.add();
  }
}
