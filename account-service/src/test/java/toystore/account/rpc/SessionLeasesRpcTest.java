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
import toystore.account.domain.AccountCommand;
import toystore.account.domain.AccountUnitOfWork;
import toystore.account.domain.Ratings;
import toystore.account.domain.Role;
import toystore.account.domain.Sessions;
import toystore.account.domain.TokenHash;
import toystore.account.storage.AccountBatches;
import toystore.platform.journal.Submitted;
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

  private SingleWriter<AccountUnitOfWork> writer(Sessions sessions) {
    var batches = new AccountBatches(database, sessions, new Ratings(), new SettableClock());
    return new SingleWriter<>("leases", database, batches, 10, 10, _ -> {});
  }

  private static Sessions sessions() {
    return new Sessions(Duration.ofMinutes(5), 100);
  }

  @Test
  void firstEndOfAnEarlierSessionIsAnsweredAfterALease() throws SQLException {
    try (var writer = writer(sessions()).start()) {
      writer
          .submit(
              new Submitted<>(new AccountCommand.OpenSession(Role.BUYER, 1, TokenHash.of("token"))))
          .toCompletableFuture()
          .join();
    }
    Sessions sessions = sessions();
    try (var _ = writer(sessions).start();
        var leases = new SessionLeasesRpc(sessions, database)) {
      long start = System.nanoTime();
      leases.onLoaded();
      assertThat(leases.whenUnused(ANSWER).toCompletableFuture().join()).isEqualTo("answer");
      assertThat(System.nanoTime() - start)
          .isGreaterThanOrEqualTo(SessionLeasesRpc.LEASE.toNanos());
      assertThat(leases.whenUnused(ANSWER).toCompletableFuture()).isCompleted();
    }
  }

  @Test
  void processWithoutEarlierSessionsWaitsForNobody() throws SQLException {
    Sessions sessions = sessions();
    try (var _ = writer(sessions).start();
        var leases = new SessionLeasesRpc(sessions, database)) {
      leases.onLoaded();
      assertThat(leases.whenUnused(ANSWER).toCompletableFuture()).isCompleted();
    }
  }
}
