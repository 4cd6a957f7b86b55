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
import toystore.platform.storage.Database;
import toystore.platform.storage.WriterStatement;

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
  private final WriterStatement delete;
  private final WriterStatement count;

  SessionStore(Database database) {
    sessions = SESSIONS.upserts(database, List.of("last_use"));
    delete = database.statement("DELETE FROM session WHERE id = ?");
    count = database.statement("UPDATE last_session SET id = ? WHERE id < ?");
  }

  void put(Session session) throws SQLException {
    sessions.put(session);
    count.set(session.id()).set(session.id()).add();
  }

  void remove(Session session) throws SQLException {
    delete.set(session.id()).add();
  }

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
