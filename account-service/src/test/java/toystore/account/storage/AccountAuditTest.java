package toystore.account.storage;

import static org.assertj.core.api.Assertions.assertThat;
import static toystore.common.RootLocale.format;

import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import toystore.account.SettableClock;
import toystore.account.domain.AccountCommand;
import toystore.account.domain.Ratings;
import toystore.account.domain.Role;
import toystore.account.domain.Sessions;
import toystore.account.domain.TokenHash;
import toystore.account.domain.Username;
import toystore.platform.journal.RequestKey;
import toystore.platform.journal.Submitted;
import toystore.platform.service.AuditCheckResult;
import toystore.platform.storage.ChecksummedTable;
import toystore.platform.storage.Database;
import toystore.platform.storage.MigrationDataSource;
import toystore.platform.storage.PostgresSchema;
import toystore.platform.storage.PostgresServer;
import toystore.platform.storage.ReadPool;
import toystore.platform.storage.SingleWriter;
import toystore.platform.storage.SqliteFile;
import toystore.testkit.TestDatabase;
import toystore.testkit.TestDatabase.Engine;

/// Audits a real database in which some rows were changed.
@ParameterizedClass
@MethodSource("toystore.testkit.TestDatabase#engines")
@Tag("engines")
@SuppressWarnings("NullAway.Init") // set before each test
class AccountAuditTest {
  private final SettableClock clock = new SettableClock();

  @Parameter Engine engine;
  @TempDir Path folder;
  private TestDatabase stored;
  private Database database;
  private ReadPool reader;
  private AccountAudit audit;

  @BeforeEach
  void register() throws SQLException {
    stored = new TestDatabase(engine, folder, "account");
    database =
        stored.open(
            file -> SqliteFile.open(file, "db/account"),
            url -> PostgresSchema.of(new PostgresServer(url, "postgres", ""), "account"),
            PostgresSchema::tryBecomeWriter);
    if (engine == Engine.SQLITE) {
      MigrationDataSource.registerRowChecksum(database.queryConnection());
    }
    reader = database.readers(1, 10);
    audit = new AccountAudit(reader);
    submit(
        new AccountCommand.Register(Role.BUYER, Username.ofNewAccount("Ann"), "hash"),
        new AccountCommand.Register(Role.BUYER, Username.ofNewAccount("Bob"), "hash"),
        new AccountCommand.Register(Role.BUYER, Username.ofNewAccount("Cid"), "hash"),
        new AccountCommand.Register(Role.SELLER, Username.ofNewAccount("Sid"), "hash"),
        new AccountCommand.OpenSession(Role.SELLER, 1, TokenHash.of("token")),
        new AccountCommand.GiveFeedback(1, 7, 1, true),
        new AccountCommand.GiveFeedback(2, 7, 1, false),
        new AccountCommand.GiveFeedback(3, 8, 1, true));
  }

  private void submit(AccountCommand<?>... commands) throws SQLException {
    var state =
        new AccountBatches(
            database, new Sessions(Duration.ofMinutes(5), 100_000), new Ratings(), clock);
    try (var writer = new SingleWriter<>("audit", database, state, 100, 100, _ -> {}).start()) {
      for (AccountCommand<?> command : commands) {
        boolean hasKey = !(command instanceof AccountCommand.OpenSession);
        writer.submit(
            new Submitted<>(
                command,
                hasKey ? new RequestKey("s", command.values().toString(), true) : null,
                null,
                () -> false));
      }
    }
  }

  @AfterEach
  void close() throws SQLException {
    reader.close();
    database.close();
  }

  @Test
  void auditOfUnchangedFilePasses() {
    String checked = "checked 3 buyers, 1 sellers, feedback up to 3";
    assertThat(run(false))
        .isEqualTo(
            List.of(
                new AuditCheckResult("account ids", true, "consecutive, " + checked),
                new AuditCheckResult("ratings", true, "equal the feedback, " + checked),
                new AuditCheckResult("sessions", true, "1 sessions of existing accounts"),
                new AuditCheckResult("rows as written", true, "all checksums match, " + checked)));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          DELETE FROM account WHERE username = 'bob'            | account ids | BUYER 2 is missing
          UPDATE feedback SET up = 0 WHERE item_id = 8          | ratings     | item 8: 0 thumbs up and 1 down in its feedback, 1 and 0 in its rating
          DELETE FROM feedback WHERE number = 2                 | ratings     | item 7: 1 thumbs up and 0 down in its feedback, 1 and 1 in its rating
          UPDATE item_rating SET thumbs_up = 2 WHERE item_id=7  | ratings     | item 7: 1 thumbs up and 1 down in its feedback, 2 and 1 in its rating
          DELETE FROM item_rating WHERE item_id = 7             | ratings     | the rating of item 7 lacks feedback 1
          UPDATE item_rating SET change = 1 WHERE item_id = 7   | ratings     | the rating of item 7 lacks feedback 2
          UPDATE feedback SET buyer_id = 9 WHERE number = 3     | ratings     | feedback 3 has no buyer 9
          UPDATE item_rating SET seller_id = 2 WHERE item_id=8  | ratings     | item 8 has no seller 2
          UPDATE session SET account_id = 2                     | sessions    | session 1 has no SELLER 2
          """)
  void changedRowIsReported(String change, String check, String detail) throws SQLException {
    change(change);

    assertThat(run(false)).contains(new AuditCheckResult(check, false, detail));
  }

  @ParameterizedTest
  @CsvSource({"account", "session", "feedback", "item_rating", "answer"})
  void rowThatWasNotWrittenByTheServiceIsReported(String table) throws SQLException {
    stored.change(
        database.queryConnection(),
        format("UPDATE %s SET checksum = checksum + 1", table),
        Map.of());

    AuditCheckResult result = run(true).getFirst();
    assertThat(result.ok()).isFalse();
    assertThat(result.detail())
        .startsWith(format("damaged row: checksum mismatch in table %s,", table));
  }

  @Test
  void checkedRowsAreSkippedUntilTheyChangeOrTheAuditIsFull() throws SQLException {
    run(false);
    change("UPDATE item_rating SET thumbs_up = thumbs_up + 1");
    assertThat(run(false)).allMatch(AuditCheckResult::ok);

    submit(new AccountCommand.GiveFeedback(3, 7, 1, true));
    assertThat(run(false))
        .contains(
            new AuditCheckResult(
                "ratings",
                false,
                "item 7: 2 thumbs up and 1 down in its feedback, 3 and 1 in its rating"));
    change("UPDATE item_rating SET thumbs_up = thumbs_up - 1");
    assertThat(run(true)).allMatch(AuditCheckResult::ok);
  }

  private List<AuditCheckResult> run(boolean full) {
    return audit.run(full).toCompletableFuture().join();
  }

  /// Changes rows and updates all checksums, as a faulty service would.
  private void change(String sql) throws SQLException {
    stored.change(
        database.queryConnection(),
        sql,
        Stream.of(
                AccountStore.ACCOUNTS,
                AccountStore.SESSIONS,
                AccountStore.FEEDBACK,
                AccountStore.RATINGS)
            .collect(Collectors.toMap(ChecksummedTable::name, ChecksummedTable::columns)));
  }
}
