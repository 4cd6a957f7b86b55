package toystore.account;

import static org.assertj.core.api.Assertions.assertThat;
import static toystore.account.AccountFixture.error;
import static toystore.account.AccountFixture.rating;
import static toystore.account.storage.FormerUsernamesStore.FORMER_USERNAMES;
import static toystore.account.v1.Role.ROLE_BUYER;
import static toystore.account.v1.Role.ROLE_SELLER;
import static toystore.clients.Conditions.await;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.flywaydb.core.Flyway;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import toystore.account.rpc.AccountErrorReasons;
import toystore.account.storage.FormerUsernamesStore.FormerUsername;
import toystore.account.storage.SessionStore;
import toystore.account.v1.LoginResponse;
import toystore.common.v1.AuditCheck;
import toystore.platform.storage.MigrationDataSource;

/// What remains after a restart, and what is in the files.
@Timeout(60)
class AccountRestartTest {
  private static final String PASSWORD = "correct-horse-battery";

  @TempDir Path folder;
  private final SettableClock clock = new SettableClock();
  private final CountingPasswordEncoder encoder = new CountingPasswordEncoder();

  @Test
  void accountsSessionsKeysAndRatingsSurviveARestart() {
    LoginResponse kept;
    LoginResponse last;
    try (AccountFixture service = start()) {
      service.register(ROLE_BUYER, "Ann", PASSWORD, "k");
      service.register(ROLE_SELLER, "Sid");
      service.give("f", 1, 7, 1, true);
      kept = service.login(ROLE_BUYER, "Ann", PASSWORD, AccountFixture.ADDRESS);
      clock.advance(Duration.ofMinutes(4));
      service.authenticate(kept.getToken());
      await(() -> storedUse(service, kept) == clock.millis());
      last = service.login(ROLE_SELLER, "Sid");
      service.logout(last.getToken());
    }
    clock.advance(Duration.ofMinutes(4));
    try (AccountFixture service = start()) {
      assertThat(service.authenticate(kept.getToken())).isEqualTo(kept.getSession());
      assertThat(error(() -> service.authenticate(last.getToken())).reason())
          .isEqualTo(AccountErrorReasons.SESSION_UNKNOWN);
      assertThat(service.login(ROLE_SELLER, "Sid").getSession().getSessionId())
          .as("the id of a deleted session is not used again")
          .isEqualTo(last.getSession().getSessionId() + 1);
      assertThat(service.register(ROLE_BUYER, "Ann", PASSWORD, "k").getReplayed()).isTrue();
      assertThat(service.register(ROLE_BUYER, "Bob")).isEqualTo(2);
      assertThat(service.sellerRating(1)).isEqualTo(rating(1, 0));
      assertThat(service.give("f2", 1, 7, 1, false)).isFalse();
      assertThat(service.itemRatings(List.of(7L))).containsExactly(rating(0, 1));
      assertThat(service.audit(true)).hasSize(4).allMatch(AuditCheck::getOk);
    }
    clock.advance(Duration.ofMinutes(5));
    try (AccountFixture service = start()) {
      assertThat(error(() -> service.authenticate(kept.getToken())).reason())
          .isEqualTo(AccountErrorReasons.SESSION_UNKNOWN);
    }
  }

  /// The version without the table `former_username` told `Bob` from `bob`, and refused neither
  /// white space nor symbols.
  @Test
  void accountsOfAnEarlierVersionKeepTheirNamesAndNobodyRegistersBesideThem()
      throws IOException, SQLException {
    var names =
        List.of(
            "Bob", "BOB", "bob", "Max", "Jose\u0301", " sam", "🧸", "plain", "Old  Joe", "Old Joe");
    writeFirstVersion(names);

    for (int start = 0; start < 2; start++) {
      try (AccountFixture service = start()) {
        for (String name : names) {
          assertThat(buyer(service, name)).as(name).isEqualTo(1 + names.indexOf(name));
        }
        assertThat(buyer(service, "bOb")).as("the name in normal form").isEqualTo(3);
        assertThat(buyer(service, "MAX")).isEqualTo(4);
        assertThat(buyer(service, "JOS\u00C9")).isEqualTo(5);
        assertThat(buyer(service, "old joe")).isEqualTo(10);
        for (String taken : List.of("Bob", "bob", "bOB", "max", "Jos\u00E9", "OLD JOE")) {
          assertThat(error(() -> service.register(ROLE_BUYER, taken)).reason())
              .as(taken)
              .isEqualTo(AccountErrorReasons.USERNAME_TAKEN);
        }
        assertThat(error(() -> service.login(ROLE_BUYER, "SAM")).reason())
            .isEqualTo(AccountErrorReasons.WRONG_PASSWORD);
        assertThat(service.register(ROLE_SELLER, "MAX" + start)).isEqualTo(start + 1L);
        assertThat(formerUsernames(service))
            .extracting(FormerUsername::normalForm)
            .containsExactly("bob", "bob", "max", "jos\u00E9", "old joe");
        assertThat(service.audit(true)).hasSize(4).allMatch(AuditCheck::getOk);
      }
    }
  }

  private static List<FormerUsername> formerUsernames(AccountFixture service) {
    return service
        .readers()
        .read(connection -> FORMER_USERNAMES.rows(connection, "ORDER BY number"))
        .toCompletableFuture()
        .join();
  }

  private static long buyer(AccountFixture service, String name) {
    return service.login(ROLE_BUYER, name).getSession().getAccountId();
  }

  private void writeFirstVersion(List<String> buyers) throws SQLException, IOException {
    Path path = Files.createDirectories(folder.resolve("account")).resolve("account.db");
    Flyway.configure()
        .dataSource(new MigrationDataSource(path))
        .locations("classpath:db/file", "classpath:db/account")
        .target("1")
        .load()
        .migrate();
    try (var connection = new MigrationDataSource(path).getConnection();
        var insert =
            connection.prepareStatement(
                "INSERT INTO account VALUES ('BUYER', ?1, ?2, ?3, 0, row_checksum('BUYER', ?1, ?2, ?3, 0))")) {
      for (int i = 0; i < buyers.size(); i++) {
        insert.setLong(1, i + 1L);
        insert.setString(2, buyers.get(i));
        insert.setString(3, encoder.encode("secret"));
        insert.executeUpdate();
      }
    }
  }

  @Test
  void usesWithinThirtySecondsAreStoredOnce() {
    try (AccountFixture service = start()) {
      service.register(ROLE_BUYER, "Ann");
      LoginResponse login = service.login(ROLE_BUYER, "Ann");
      long loggedIn = clock.millis();
      clock.advance(Duration.ofSeconds(29));
      service.authenticate(login.getToken());
      service.register(ROLE_BUYER, "Bob"); // a later commit
      assertThat(storedUse(service, login)).isEqualTo(loggedIn);

      clock.advance(Duration.ofSeconds(1));
      service.authenticate(login.getToken());
      await(() -> storedUse(service, login) == loggedIn + 30_000);
    }
  }

  @Test
  void noPasswordAndNoTokenIsInFilesOrTheLog() throws IOException {
    LoginResponse login;
    try (AccountFixture service =
        start(
            "--logging.file.name=" + folder.resolve("log/account.log"),
            "--logging.level.toystore=trace")) {
      service.register(ROLE_BUYER, "Ann", PASSWORD, "k");
      login = service.login(ROLE_BUYER, "Ann", PASSWORD, AccountFixture.ADDRESS);
      service.authenticate(login.getToken());
      error(() -> service.login(ROLE_BUYER, "Ann", PASSWORD + "x", AccountFixture.ADDRESS));
      error(() -> service.register(ROLE_BUYER, "Ann", PASSWORD + "y", "k2"));
      error(() -> service.register(ROLE_BUYER, "", PASSWORD, "k3"));
      assertThat(contents()).contains("ann").doesNotContain(PASSWORD, login.getToken());
    }
    assertThat(contents()).contains("ann").doesNotContain(PASSWORD, login.getToken());
    assertThat(folder.resolve("log/account.log")).isNotEmptyFile();
  }

  /// All files, one character a byte.
  private String contents() throws IOException {
    try (Stream<Path> files = Files.walk(folder)) {
      var all = new StringBuilder();
      files.filter(Files::isRegularFile).forEach(it -> all.append(read(it)));
      return all.toString();
    }
  }

  private static String read(Path file) {
    try {
      return Files.readString(file, StandardCharsets.ISO_8859_1);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static long storedUse(AccountFixture service, LoginResponse login) {
    return service.readers().read(SessionStore::all).toCompletableFuture().join().stream()
        .filter(it -> it.id() == login.getSession().getSessionId())
        .map(it -> it.used().toEpochMilli())
        .findFirst()
        .orElseThrow();
  }

  private AccountFixture start(String... arguments) {
    return new AccountFixture(folder, clock, encoder, arguments);
  }
}
