package toystore.frontend.page.admin;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import toystore.frontend.page.admin.AdminSessions.AdminSession;
import toystore.platform.service.AdministratorToken;
import toystore.platform.service.SharedSettings;

/// Sessions with a clock that the test moves.
class AdminSessionsTest {
  private static final String NAME = "Zoë Kašpárek / דוד";

  private Instant now = Instant.parse("2026-11-27T12:00:00Z");
  private final AdminSessions sessions = sessions("token");

  private AdminSessions sessions(String token) {
    var settings = new SharedSettings(Path.of("unused"), false, token, null, Duration.ofSeconds(1));
    return new AdminSessions(new AdministratorToken(settings), () -> now);
  }

  @Test
  void endsAfterItsIdleTime() {
    String value = sessions.value(sessions.begin(NAME));

    now = now.plus(AdminSessions.IDLE).minusSeconds(1);
    assertThat(sessions.find(value)).isPresent();
    now = now.plusSeconds(1);
    assertThat(sessions.find(value)).isEmpty();
  }

  @Test
  void useProlongsItUntilItsLongestTime() {
    AdminSession session = sessions.begin(NAME);
    Instant end = now.plus(AdminSessions.LONGEST);
    assertThat(sessions.used(session)).as("renewed at most once a minute").isEmpty();

    while (now.plus(Duration.ofMinutes(10)).isBefore(end)) {
      now = now.plus(Duration.ofMinutes(10));
      session = sessions.used(session).orElseThrow();
      assertThat(sessions.find(sessions.value(session))).hasValue(session);
    }
    now = end;
    assertThat(sessions.find(sessions.value(sessions.used(session).orElseThrow()))).isEmpty();
  }

  @Test
  void otherFrontendsOfTheSameTokenAcceptIt() {
    AdminSession session = sessions.begin(NAME);

    assertThat(sessions("token").find(sessions.value(session))).isEqualTo(Optional.of(session));
    assertThat(sessions("other").find(sessions.value(session))).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "x", "token", "...", "0.0.0.0", "é"})
  void textThatWasNotMadeHereIsNoSession(String value) {
    assertThat(sessions.find(value)).isEmpty();
    assertThat(sessions.find(value + "\n")).isEmpty();
  }

  @Test
  void changedCharacterIsNoticed() {
    String value = sessions.value(sessions.begin(NAME));

    for (int i = 0; i < value.length(); i++) {
      char other = value.charAt(i) == '1' ? '2' : '1';
      assertThat(sessions.find(value.substring(0, i) + other + value.substring(i + 1))).isEmpty();
    }
    assertThat(value).doesNotContain("token");
  }
}
