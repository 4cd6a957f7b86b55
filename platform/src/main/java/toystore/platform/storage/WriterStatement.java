package toystore.platform.storage;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/// A statement on the writer's connection, prepared once for each connection. Used by the writer's
/// thread.
public final class WriterStatement {
  private final Database database;
  private final String sql;
  private @Nullable Connection connection;
  private @Nullable PreparedStatement prepared;
  private int column;
  private RowChecksum checksum = new RowChecksum();

  WriterStatement(Database database, String sql) {
    this.database = database;
    this.sql = sql;
  }

  /// Sets the next parameter: a number, a text, bytes, a flag (1 or 0), or null.
  public WriterStatement set(@Nullable Object value) throws SQLException {
    PreparedStatement statement = prepare();
    if (column == 0) {
      checksum = new RowChecksum();
    }
    Object stored =
        switch (value) {
          case Boolean flag -> flag ? 1L : 0L;
          case Integer number -> number.longValue();
          case null, default -> value;
        };
    checksum.add(stored);
    statement.setObject(++column, stored);
    return this;
  }

  /// Sets the last parameter, the [RowChecksum] of those before, and adds the row.
  void addWithChecksum() throws SQLException {
    set(checksum.value());
    add();
  }

  /// Executes the statement with the set parameters, now or with others of the transaction.
  public void add() throws SQLException {
    column = 0;
    database.add(this);
  }

  /// Like [#add()], with these parameters: numbers and texts.
  public void add(Object... values) throws SQLException {
    for (Object value : values) {
      set(value);
    }
    add();
  }

  /// Executes the statement now.
  ///
  /// @return the number of changed rows
  public int execute() throws SQLException {
    column = 0;
    database.flush();
    return prepare().executeUpdate();
  }

  /// Executes the query now. The caller closes the result.
  public ResultSet query() throws SQLException {
    column = 0;
    database.queryConnection(); // with the statements that were added
    return prepare().executeQuery();
  }

  /// The statement on the writer's current connection.
  PreparedStatement prepare() throws SQLException {
    Connection current = database.statementConnection();
    PreparedStatement statement = prepared;
    if (statement == null || connection != current) {
      statement = current.prepareStatement(sql);
      prepared = statement;
      connection = current;
      column = 0;
    }
    return statement;
  }
}
