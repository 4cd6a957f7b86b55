package toystore.platform.storage;

import java.sql.Connection;
import java.sql.SQLException;
import org.sqlite.SQLiteConnection;

/// The SQL of a database, for the few statements that differ.
public enum Dialect {
  SQLITE,
  POSTGRESQL;

  public static Dialect of(Connection connection) throws SQLException {
    return connection.isWrapperFor(SQLiteConnection.class) ? SQLITE : POSTGRESQL;
  }
}
