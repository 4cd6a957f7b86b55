package toystore.account;

import static org.assertj.core.api.Assertions.assertThat;
import static toystore.account.AccountFixture.error;
import static toystore.account.AccountFixture.rating;
import static toystore.account.v1.Role.ROLE_BUYER;
import static toystore.account.v1.Role.ROLE_SELLER;
import static toystore.clients.Conditions.await;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import toystore.account.storage.AccountStore;
import toystore.account.v1.LoginResponse;
import toystore.common.v1.AuditCheck;
import toystore.platform.error.ErrorReason;

/// What remains after a restart, and what is in the files.
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
          .isEqualTo(ErrorReason.SESSION_UNKNOWN);
      assertThat(service.login(ROLE_SELLER, "Sid").getSession().getSessionId())
          .as("the id of a deleted session is not used again")
          .isEqualTo(last.getSession().getSessionId() + 1);
      assertThat(service.register(ROLE_BUYER, "Ann", PASSWORD, "k").replayed()).isTrue();
      assertThat(service.register(ROLE_BUYER, "Bob")).isEqualTo(2);
      assertThat(service.sellerRating(1)).isEqualTo(rating(1, 0));
      assertThat(service.give("f2", 1, 7, 1, false)).isFalse();
      assertThat(service.itemRatings(List.of(7L))).containsExactly(rating(0, 1));
      assertThat(service.audit(true)).hasSize(4).allMatch(AuditCheck::getOk);
    }
    clock.advance(Duration.ofMinutes(5));
    try (AccountFixture service = start()) {
      assertThat(error(() -> service.authenticate(kept.getToken())).reason())
          .isEqualTo(ErrorReason.SESSION_UNKNOWN);
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
    return service.readers().read(AccountStore::sessions).toCompletableFuture().join().stream()
        .filter(it -> it.id() == login.getSession().getSessionId())
        .map(it -> it.used().toEpochMilli())
        .findFirst()
        .orElseThrow();
  }

  private AccountFixture start(String... arguments) {
    return new AccountFixture(folder, clock, encoder, arguments);
  }
}
