package toystore.account.storage;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Instant;
import java.util.List;
import toystore.account.domain.Role;
import toystore.account.domain.Session;
import toystore.account.domain.TokenHash;
import toystore.platform.storage.ChecksummedTable;

/// The sessions on disk.
public final class SessionStore {
  static final ChecksummedTable<Session> SESSIONS =
      new ChecksummedTable<>(
          "session",
          "id",
          List.of("id", "token_hash", "role", "account_id", "created", "last_use"),
          (row, session) ->
              row.set(session.id())
                  .set(session.token().bytes())
                  .set(session.role().name())
                  .set(session.accountId())
                  .set(session.created().toEpochMilli())
                  .set(session.used().toEpochMilli()),
          row ->
              new Session(
                  row.getLong("id"),
                  TokenHash.of(row.getBytes("token_hash")),
                  Role.valueOf(row.getString("role")),
                  row.getLong("account_id"),
                  Instant.ofEpochMilli(row.getLong("created")),
                  Instant.ofEpochMilli(row.getLong("last_use"))));

  private SessionStore() {}

  public static List<Session> all(Connection connection) throws SQLException {
    return SESSIONS.rows(connection, "ORDER BY id");
  }

  /// The next id: none is used again.
  static long nextId(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery("SELECT id FROM last_session")) {
      row.next();
      return row.getLong(1) + 1;
    }
  }
}
