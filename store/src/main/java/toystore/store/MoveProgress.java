package toystore.store;

import static toystore.common.RootLocale.format;

import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.springframework.core.env.Environment;
import toystore.platform.storage.BlockingSessions;
import toystore.platform.storage.PostgresServer;

/// Says how far a move is, and for which sessions of PostgreSQL it waits: somebody's open
/// transaction that has read a table. Any thread.
final class MoveProgress implements AutoCloseable {
  private static final Duration INTERVAL = Duration.ofSeconds(2);

  private final PostgresServer server;
  private final Consumer<String> lines;
  private final ScheduledExecutorService watch =
      Executors.newSingleThreadScheduledExecutor(
          Thread.ofPlatform().daemon().name("move-progress").factory());
  private volatile String now = "opening and locking the databases";
  private String said = "";

  /// @param url of the database, the source or the target
  MoveProgress(String url, Environment environment, Consumer<String> lines) {
    this.server = StoreDatabases.server(url, environment);
    this.lines = lines;
    watch.scheduleWithFixedDelay(
        this::say, INTERVAL.toMillis(), INTERVAL.toMillis(), TimeUnit.MILLISECONDS);
  }

  void at(String service, String table, long rows) {
    now = format("copying %s.%s, %,d rows so far", service, table, rows);
  }

  /// Says what has changed since the last time.
  private void say() {
    String line = now + blocked();
    if (!line.equals(said)) {
      said = line;
      lines.accept(line);
    }
  }

  private String blocked() {
    try {
      List<String> sessions = BlockingSessions.of(server);
      return sessions.isEmpty()
          ? ""
          : "; waiting until the transaction ends of " + String.join(", ", sessions);
    } catch (SQLException e) {
      return ""; // the move itself reports failures
    }
  }

  @Override
  public void close() {
    watch.shutdownNow();
  }
}
