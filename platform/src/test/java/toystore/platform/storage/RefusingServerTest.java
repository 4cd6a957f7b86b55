package toystore.platform.storage;

import static org.assertj.core.api.Assertions.assertThat;
import static toystore.clients.Conditions.await;

import java.io.IOException;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import toystore.clients.Conditions;

/// The table "What the server may say" of docs/how-to/postgresql.md: a server that is up refuses
/// something for some time, and nobody restarts the process.
@Tag("long")
class RefusingServerTest {
  private static final Duration WAIT = Duration.ofSeconds(60);
  private static final Duration SELLS_WITHIN = Duration.ofSeconds(10);

  private final CompletableFuture<Throwable> fatal = new CompletableFuture<>();
  private final List<String> acknowledged = new ArrayList<>();

  @BeforeEach
  void createDatabase() throws SQLException, IOException {
    ShopDatabase.create();
  }

  @AfterEach
  void resetServer() throws SQLException {
    ShopDatabase.administer("postgres", "ALTER SYSTEM RESET ALL", "SELECT pg_reload_conf()");
  }

  /// Submits a command and remembers it if it is acknowledged.
  private boolean sells(SingleWriter<Numbers.Batch> writer) {
    String text = "ň" + acknowledged.size();
    try {
      long number = Numbers.submit(writer, text).join();
      assertThat(number).isEqualTo(acknowledged.size());
      return acknowledged.add(text);
    } catch (java.util.concurrent.CompletionException e) {
      assertThat(e).hasCauseInstanceOf(NotExecutedException.class);
      return false;
    }
  }

  private void awaitSales(SingleWriter<Numbers.Batch> writer) {
    Conditions.patiently().atMost(SELLS_WITHIN).until(() -> sells(writer));
  }

  private void awaitReason(PostgresSchema schema, String words) {
    await(() -> String.valueOf(schema.notReady()).contains(words));
  }

  @ParameterizedTest
  @EnumSource
  void sellsAfterItsSessionsWereEndedAndNewOnesRefused(ServerRefusal refusal) throws Exception {
    try (PostgresSchema schema = PostgresSchema.of(ShopDatabase.server(), "numbers")) {
      assertThat(schema.tryBecomeWriter()).isTrue();
      try (var writer = ShopDatabase.writer(schema, fatal)) {
        assertThat(sells(writer)).isTrue();
        refusal.imposeAndEndSessions();
        awaitReason(schema, refusal.words);
        refusal.lift();
        awaitSales(writer);
        await(() -> schema.notReady() == null);
      }
    }
    assertThat(fatal).isNotDone();
    assertThat(ShopDatabase.texts()).isEqualTo(acknowledged);
  }

  /// The session stays, and is ended while the writer waits for the end of the refusal.
  @ParameterizedTest
  @CsvSource({"NO_PERMISSION,false", "DISK_FULL,false", "DISK_FULL,true", "CANCELLED,true"})
  void sellsAfterItsSessionWasRefused(ServerRefusal refusal, boolean ended) throws Exception {
    assertThat(refusal.affectsSessions()).isTrue();
    try (PostgresSchema schema = PostgresSchema.of(ShopDatabase.server(), "numbers")) {
      assertThat(schema.tryBecomeWriter()).isTrue();
      try (var writer = ShopDatabase.writer(schema, fatal)) {
        assertThat(sells(writer)).isTrue();
        refusal.impose();
        assertThat(sells(writer)).isFalse();
        assertThat(writer.refuses()).isTrue();
        if (ended) {
          ShopDatabase.endSessions();
        }
        awaitReason(schema, refusal.words);
        refusal.lift();
        awaitSales(writer);
      }
    }
    assertThat(fatal).isNotDone();
    assertThat(ShopDatabase.texts()).isEqualTo(acknowledged);
  }

  @Test
  void sellsAfterTheServerWasReadOnly() throws Exception {
    try (PostgresSchema schema = PostgresSchema.of(ShopDatabase.server(), "numbers")) {
      assertThat(schema.tryBecomeWriter()).isTrue();
      try (var writer = ShopDatabase.writer(schema, fatal)) {
        assertThat(sells(writer)).isTrue();
        ShopDatabase.administer(
            "postgres",
            "ALTER SYSTEM SET default_transaction_read_only = on",
            "SELECT pg_reload_conf()");
        awaitReason(schema, ServerRefusal.READ_ONLY.words);
        ShopDatabase.administer(
            "postgres",
            "SET default_transaction_read_only = off",
            "ALTER SYSTEM RESET default_transaction_read_only",
            "SELECT pg_reload_conf()");
        awaitSales(writer);
      }
    }
    assertThat(fatal).isNotDone();
    assertThat(ShopDatabase.texts()).isEqualTo(acknowledged);
  }

  /// Settings of the role, of which some would end or weaken commits, do not hold for its sessions.
  @ParameterizedTest
  @CsvSource({
    "statement_timeout, 100ms, 0",
    "transaction_timeout, 100ms, 0",
    "lock_timeout, 100ms, 0",
    "idle_session_timeout, 100ms, 6s",
    "idle_in_transaction_session_timeout, 100ms, 6s",
    "synchronous_commit, off, on",
    "synchronous_commit, local, on",
    "synchronous_commit, remote_apply, remote_apply",
    "search_path, nowhere, numbers",
    "default_transaction_isolation, serializable, read committed"
  })
  void settingsOfTheRoleDoNotHold(String setting, String value, String expected) throws Exception {
    try (PostgresSchema schema = PostgresSchema.of(ShopDatabase.server(), "numbers")) {
      assertThat(schema.tryBecomeWriter()).isTrue();
      try (var writer = ShopDatabase.writer(schema, fatal)) {
        assertThat(sells(writer)).isTrue();
        ShopDatabase.administer(
            "postgres", "ALTER ROLE shop SET " + setting + " = '" + value + "'");
        ShopDatabase.endSessions();
        awaitSales(writer);
      }
      assertThat(query(schema, "SHOW " + setting)).isEqualTo(expected);
    }
    assertThat(ShopDatabase.texts()).isEqualTo(acknowledged);
  }

  /// What the session has set itself does not change when the server's configuration does.
  @Test
  void commitWaitsForTheDiskWhateverTheServerIsConfiguredToLater() throws Exception {
    try (PostgresSchema schema = PostgresSchema.of(ShopDatabase.server(), "numbers")) {
      assertThat(schema.tryBecomeWriter()).isTrue();
      assertThat(query(schema, "SELECT source FROM pg_settings WHERE name = 'synchronous_commit'"))
          .isEqualTo("session");
    }
  }

  private static String query(PostgresSchema schema, String sql) throws SQLException {
    try (Statement statement = schema.queryConnection().createStatement();
        ResultSet row = statement.executeQuery(sql)) {
      row.next();
      return row.getString(1);
    }
  }

  /// Another process may have the right password, or reach the server.
  @Test
  void processEndsThatWasNotLetInForLong() throws Exception {
    var patience = new PostgresSchema.Patience(Duration.ofSeconds(1), Duration.ofSeconds(2));
    try (PostgresSchema schema =
            new PostgresSchema(ShopDatabase.server(), "numbers", null, patience);
        PostgresSchema standby =
            new PostgresSchema(ShopDatabase.server(), "numbers", null, patience)) {
      assertThat(schema.tryBecomeWriter()).isTrue();
      assertThat(standby.tryBecomeWriter()).isFalse();
      ShopDatabase.writer(schema, fatal);
      ServerRefusal.PASSWORD.imposeAndEndSessions();
      assertThat(fatal)
          .succeedsWithin(WAIT)
          .isInstanceOf(TakenOverException.class)
          .asString()
          .contains("no connection for 2 s", "password authentication failed");
      await(() -> {
        try {
          return standby.tryBecomeWriter();
        } catch (UnusableFileException e) {
          return String.valueOf(e.getMessage()).contains("password authentication failed");
        }
      });
    }
  }
}
