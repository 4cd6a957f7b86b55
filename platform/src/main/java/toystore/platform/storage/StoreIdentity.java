package toystore.platform.storage;

import static toystore.common.RootLocale.format;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.UUID;

/// The store to which a process belongs. Each schema of PostgreSQL has the identity of its store in
/// the table `store_identity`, which the first writer with an identity fills. Otherwise a process
/// of another store would wait for the lock like a standby, and take over.
///
/// @param id the same for all processes of a store
/// @param folder data folder of this process, for messages
public record StoreIdentity(UUID id, Path folder) {
  public static final String FILE = "store-id";

  /// @throws UnusableFileException if another one does
  public boolean uses(PostgresServer server, String schema) throws SQLException {
    try (Connection connection = server.connect(schema)) {
      return check(connection, server + " schema " + schema);
    }
  }

  /// @param schema the schema of the connection, for messages
  /// @return whether the schema has the identity of this store; false: it has none
  /// @throws UnusableFileException if it has another one
  boolean check(Connection connection, String schema) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      try (ResultSet table = statement.executeQuery("SELECT to_regclass('store_identity')")) {
        table.next();
        if (table.getString(1) == null) {
          return false;
        }
      }
      try (ResultSet row = statement.executeQuery("SELECT id, folder FROM store_identity")) {
        if (!row.next()) {
          return false;
        }
        UUID owner = row.getObject(1, UUID.class);
        if (!owner.equals(id)) {
          throw new UnusableFileException(
              format(
                  "database %s belongs to the store of data folder %s, not to that of data folder %s; use another database, or, if this folder replaces that one, write %s into %s",
                  schema, row.getString(2), folder, owner, folder.resolve(FILE)));
        }
        return true;
      }
    }
  }

  /// Writes the identity into a migrated schema, in the transaction of its writer.
  ///
  /// @throws UnusableFileException if it has another one
  void claim(Connection writer, String schema) throws SQLException {
    check(writer, schema);
    try (Statement statement = writer.createStatement();
        PreparedStatement insert =
            writer.prepareStatement(
                "INSERT INTO store_identity VALUES (?, concat_ws(' at ', ?, host(inet_client_addr())))")) {
      statement.execute("DELETE FROM store_identity");
      insert.setObject(1, id);
      insert.setString(2, folder.toString());
      insert.executeUpdate();
    }
  }
}
