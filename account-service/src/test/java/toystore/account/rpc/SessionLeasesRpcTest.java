package toystore.account.rpc;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;
import toystore.account.SettableClock;
import toystore.account.domain.Ratings;
import toystore.account.domain.Sessions;
import toystore.account.storage.AccountBatches;
import toystore.platform.storage.Database;
import toystore.platform.storage.PostgresSchema;
import toystore.platform.storage.PostgresServer;
import toystore.platform.storage.SingleWriter;
import toystore.platform.storage.SqliteFile;
import toystore.testkit.TestDatabase;
import toystore.testkit.TestDatabase.Engine;

/// A process does not know the leases that the process before it gave.
@ParameterizedClass
@EnumSource(Engine.class)
@SuppressWarnings("NullAway.Init") // set before each test
class SessionLeasesRpcTest {
  private static final CompletionStage<String> ANSWER = CompletableFuture.completedStage("answer");

  @Parameter Engine engine;
  @TempDir Path folder;
  private Database database;

  @BeforeEach
  void open() throws SQLException {
    database =
        new TestDatabase(engine, folder, "account")
            .open(
                file -> SqliteFile.open(file, "db/account"),
                url -> PostgresSchema.of(new PostgresServer(url, "postgres", ""), "account"),
                PostgresSchema::tryBecomeWriter);
  }

  @AfterEach
  void close() throws SQLException {
    database.close();
  }

  /// During a takeover, a session may be found at the new process while the lease of the process
  /// before it is not over. So it waits even if there was no session at its start.
  @Test
  void firstEndIsAnsweredAfterALease() throws SQLException {
    Sessions sessions = new Sessions(Duration.ofMinutes(5), 100);
    var batches = new AccountBatches(database, sessions, new Ratings(), new SettableClock());
    try (var _ = new SingleWriter<>("leases", database, batches, 10, 10, _ -> {}).start();
        var leases = new SessionLeasesRpc(sessions, database)) {
      long start = System.nanoTime();
      leases.onLoaded();
      assertThat(leases.whenUnused(ANSWER).toCompletableFuture().join()).isEqualTo("answer");
      assertThat(System.nanoTime() - start)
          .isGreaterThanOrEqualTo(SessionLeasesRpc.LEASE.toNanos());
      assertThat(leases.whenUnused(ANSWER).toCompletableFuture()).isCompleted();
    }
  }
}
