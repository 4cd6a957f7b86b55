package toystore.testkit;

import static toystore.common.RootLocale.format;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import toystore.clients.Project;

/// A PostgreSQL primary that commits when its streaming standby has the commit, too. One thread.
public final class PostgresPair implements AutoCloseable {
  private final Path folder;
  private final EmbeddedPostgres primary;
  private final EmbeddedPostgres standby;

  /// @param folder for the data of both
  public PostgresPair(Path folder) throws IOException {
    this.folder = folder;
    server("primary").start().close(); // creates its data folder, which pg_basebackup would copy
    Project.run(List.of("cp", "-a", data("primary").toString(), data("standby").toString()));
    primary = server("primary").setServerConfig("synchronous_standby_names", "standby").start();
    Files.createFile(data("standby").resolve("standby.signal"));
    Files.writeString(
        data("standby").resolve("postgresql.auto.conf"),
        format(
            "primary_conninfo = 'host=127.0.0.1 port=%d user=postgres application_name=standby'",
            primary.getPort()));
    standby = server("standby").start();
  }

  /// A server that loses nothing when its machine stops, unlike the library's default.
  static EmbeddedPostgres.Builder durable() {
    return EmbeddedPostgres.builder()
        .setServerConfig("fsync", "on")
        .setServerConfig("synchronous_commit", "on");
  }

  private EmbeddedPostgres.Builder server(String name) {
    return durable().setDataDirectory(data(name)).setCleanDataDirectory(false);
  }

  private Path data(String name) {
    return folder.resolve(name);
  }

  /// Creates a database, also on the standby.
  ///
  /// @return its URL, with both servers, for the user `postgres` with any password
  public String database(String name) throws SQLException {
    execute(primary, "SET synchronous_commit = remote_apply", "CREATE DATABASE " + name);
    return format(
        "jdbc:postgresql://127.0.0.1:%d,127.0.0.1:%d/%s",
        primary.getPort(), standby.getPort(), name);
  }

  /// Kills the primary (SIGKILL).
  public void killPrimary() throws IOException {
    String pid = Files.readAllLines(data("primary").resolve("postmaster.pid")).getFirst();
    ProcessHandle server = ProcessHandle.of(Long.parseLong(pid)).orElseThrow();
    server.destroyForcibly();
    server.onExit().join();
  }

  /// Makes the standby the primary.
  public void promote() throws SQLException {
    execute(standby, "SELECT pg_promote()");
  }

  private static void execute(EmbeddedPostgres server, String... commands) throws SQLException {
    try (Connection connection = server.getPostgresDatabase().getConnection();
        Statement statement = connection.createStatement()) {
      for (String command : commands) {
        statement.execute(command);
      }
    }
  }

  @Override
  public void close() throws IOException {
    standby.close();
    primary.close();
  }
}
