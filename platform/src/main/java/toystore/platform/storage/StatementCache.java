package toystore.platform.storage;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.LinkedHashMap;
import java.util.SequencedMap;
import org.jspecify.annotations.Nullable;

/// Prepares each SQL text once for a connection: a statement that is closed serves the next
/// [Connection#prepareStatement(String)] with the same text. The driver of PostgreSQL does so
/// itself; that of SQLite lets SQLite compile the text each time, which takes longer than most
/// queries. Used by one thread at a time.
final class StatementCache {
  private static final int MAX_IDLE = 100;

  private final Connection connection;

  /// By SQL text, the last used one last.
  private final SequencedMap<String, CachedStatement> idle = new LinkedHashMap<>();

  private StatementCache(Connection connection) {
    this.connection = connection;
  }

  /// Returns the same connection with a cache of its statements.
  static Connection of(Connection connection) {
    var cache = new StatementCache(connection);
    return proxy(
        Connection.class,
        (_, method, arguments) ->
            method.getName().equals("prepareStatement") && arguments.length == 1
                ? cache.prepare((String) arguments[0])
                : invoke(method, connection, arguments));
  }

  private PreparedStatement prepare(String sql) throws SQLException {
    CachedStatement cached = idle.remove(sql); // a second use at the same time gets its own
    return cached == null
        ? new CachedStatement(sql, connection.prepareStatement(sql)).proxy
        : cached.proxy;
  }

  /// A statement that is returned to the cache when it is closed, unless it failed.
  private final class CachedStatement {
    final PreparedStatement proxy = proxy(PreparedStatement.class, this::call);
    private final String sql;
    private final PreparedStatement statement;
    private @Nullable ResultSet result;
    private boolean failed;

    CachedStatement(String sql, PreparedStatement statement) {
      this.sql = sql;
      this.statement = statement;
    }

    private @Nullable Object call(Object self, Method method, Object @Nullable [] arguments)
        throws Throwable {
      if (method.getName().equals("close")) {
        close();
        return null;
      }
      try {
        Object value = invoke(method, statement, arguments);
        if (value instanceof ResultSet rows) {
          result = rows;
        }
        return value;
      } catch (SQLException e) { // SQLite's driver may have freed it
        failed = true;
        throw e;
      }
    }

    private void close() throws SQLException {
      if (failed) {
        statement.close();
        return;
      }
      if (result != null) {
        result.close(); // ends the read
        result = null;
      }
      CachedStatement freed = idle.putLast(sql, this);
      if (freed == null && idle.size() > MAX_IDLE) {
        freed = idle.pollFirstEntry().getValue();
      }
      if (freed != null && freed != this) { // closed again, it stays where it is
        freed.statement.close();
      }
    }
  }

  private static <T> T proxy(Class<T> type, InvocationHandler handler) {
    return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, handler));
  }

  private static @Nullable Object invoke(
      Method method, Object target, Object @Nullable [] arguments) throws Throwable {
    try {
      return method.invoke(target, arguments);
    } catch (InvocationTargetException e) {
      throw e.getCause();
    }
  }
}
