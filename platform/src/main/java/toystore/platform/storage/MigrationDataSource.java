package toystore.platform.storage;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import org.sqlite.Function;
import org.sqlite.SQLiteConnection;
import org.sqlite.SQLiteDataSource;
import org.sqlite.core.Codes;

/// Data source for migrations. They may call `row_checksum(column, …)`, the [RowChecksum] of these
/// values.
public final class MigrationDataSource extends SQLiteDataSource {
  public MigrationDataSource(Path path) {
    super(SqliteFile.config(false));
    setUrl(SqliteFile.url(path));
  }

  @Override
  public SQLiteConnection getConnection(String user, String password) throws SQLException {
    SQLiteConnection connection = super.getConnection(user, password);
    registerRowChecksum(connection);
    return connection;
  }

  /// Registers the SQL function `row_checksum` on a connection.
  public static void registerRowChecksum(Connection connection) throws SQLException {
    Function.create(
        connection.unwrap(SQLiteConnection.class), "row_checksum", new RowChecksumFunction());
  }

  private static final class RowChecksumFunction extends Function {
    @Override
    protected void xFunc() throws SQLException {
      var checksum = new RowChecksum();
      for (int i = 0; i < args(); i++) {
        switch (value_type(i)) {
          case Codes.SQLITE_NULL -> checksum.add(null);
          case Codes.SQLITE_INTEGER -> checksum.add(value_long(i));
          case Codes.SQLITE_TEXT -> checksum.add(value_text(i));
          case Codes.SQLITE_BLOB -> checksum.add(value_blob(i));
          default ->
              throw new SQLException(
                  "row_checksum: unsupported SQLite value type " + value_type(i));
        }
      }
      result(checksum.value());
    }
  }
}
