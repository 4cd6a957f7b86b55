package toystore.account.domain;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import toystore.account.SettableClock;

class FailedLoginsTest {
  private static final Optional<Duration> NONE = Optional.empty();

  private final SettableClock clock = new SettableClock();
  private final FailedLogins logins = new FailedLogins(3, 5, Duration.ofSeconds(60), clock);

  @Test
  void firstFailureBeginsTheWindow() {
    for (int window = 0; window < 2; window++) {
      for (int i = 0; i < 3; i++) {
        assertThat(logins.begin(attempt("Zoë"))).isEqualTo(NONE);
        clock.advance(Duration.ofSeconds(10));
      }
      assertThat(logins.begin(attempt("Zoë"))).contains(Duration.ofSeconds(30));
      clock.advance(Duration.ofSeconds(30));
    }
  }

  /// Otherwise a login before the failures would let them expire earlier.
  @Test
  void successBeginsNoWindow() {
    logins.begin(attempt("Zoë"));
    logins.recordSuccess(attempt("Zoë"));
    assertThat(logins.size()).isZero();
    clock.advance(Duration.ofSeconds(50));
    for (int i = 0; i < 3; i++) {
      logins.begin(attempt("Zoë"));
    }
    assertThat(logins.delay(attempt("Zoë"))).contains(Duration.ofSeconds(60));
    logins.recordSuccess(attempt("unknown"));
    assertThat(logins.delay(attempt("Zoë"))).contains(Duration.ofSeconds(60));
  }

  @Test
  void refusedAttemptsDoNotCount() {
    for (int i = 0; i < 10; i++) {
      logins.begin(attempt("Ann"));
    }
    clock.advance(Duration.ofSeconds(60));
    assertThat(logins.delay(attempt("Ann"))).isEqualTo(NONE);
  }

  @Test
  void loginCountsUntilItSucceeds() {
    for (int i = 0; i < 3; i++) {
      logins.begin(attempt("Ann"));
    }
    assertThat(logins.delay(attempt("Ann"))).as("three in progress").isPresent();
    logins.recordSuccess(attempt("Ann"));
    assertThat(logins.delay(attempt("Ann"))).isEqualTo(NONE);
  }

  @Test
  void addressHasItsOwnLimitAndRolesAreDifferentUsers() {
    for (int i = 0; i < 5; i++) {
      assertThat(logins.begin(attempt("user " + i))).isEqualTo(NONE);
    }
    assertThat(logins.begin(attempt("another"))).contains(Duration.ofSeconds(60));
    assertThat(logins.begin(new FailedLogins.Attempt(Role.SELLER, "user 1", "other address")))
        .isEqualTo(NONE);
  }

  @Test
  void numberOfNamesIsBounded() {
    var bounded = new FailedLogins(3, 5, Duration.ofSeconds(60), clock);
    for (int i = 0; i < 200_000; i++) {
      bounded.begin(new FailedLogins.Attempt(Role.BUYER, "user " + i, "address " + i));
    }
    assertThat(bounded.size()).isEqualTo(100_000);
  }

  private static FailedLogins.Attempt attempt(String username) {
    return new FailedLogins.Attempt(Role.BUYER, username, "address");
  }
}
