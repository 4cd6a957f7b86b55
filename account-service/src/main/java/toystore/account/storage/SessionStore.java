package toystore.account.storage;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Instant;
import java.util.List;
import toystore.account.domain.Role;
import toystore.account.domain.Session;
import toystore.account.domain.TokenHash;
import toystore.platform.storage.ChecksummedTable;

/// The sessions on disk. An instance writes and belongs to the writer's connection and thread. The
/// static methods read on any connection.
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

  private final ChecksummedTable<Session>.Writer sessions;
  private final PreparedStatement delete;

  SessionStore(Connection writing) throws SQLException {
    sessions = SESSIONS.upserts(writing);
    delete = writing.prepareStatement("DELETE FROM session WHERE id = ?");
  }

  void put(Session session) throws SQLException {
    sessions.put(session);
  }

  void remove(Session session) throws SQLException {
    delete.setLong(1, session.id());
    delete.executeUpdate();
  }

  public static List<Session> all(Connection connection) throws SQLException {
    return SESSIONS.rows(connection, "ORDER BY id");
  }

  /// The next id. SQLite keeps the highest id that was ever used.
  static long nextId(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet row =
            statement.executeQuery(
                """
                SELECT max(
                  coalesce((SELECT seq FROM sqlite_sequence WHERE name = 'session'), 0),
                  coalesce((SELECT max(id) FROM session), 0))
                """)) {
      row.next();
      return row.getLong(1) + 1;
    }
  }
}
