package toystore.frontend.page.admin;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Base64;
import java.util.Optional;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.security.core.AuthenticatedPrincipal;
import org.springframework.stereotype.Component;
import toystore.platform.service.AdministratorToken;

/// The administrator's sessions. The value of a cookie is the session with a MAC that is keyed with
/// the administrator's token: every frontend accepts it without shared state, it does not reveal
/// the token, and another token ends all sessions.
///
/// A session ends 15 minutes after its last use, and 12 hours after its login. An
/// [AdminSessionClient] ends it at all frontends. Any thread.
@Component
final class AdminSessions {
  static final Duration IDLE = Duration.ofMinutes(15);
  static final Duration LONGEST = Duration.ofHours(12);

  /// The cookie is renewed at most once in this time.
  private static final Duration RENEWAL = Duration.ofMinutes(1);

  private static final Pattern VALUE =
      Pattern.compile("([0-9a-f-]{36})\\.([\\w-]*)\\.(\\d{1,12})\\.(\\d{1,12})\\.(.+)");

  private final AdministratorToken token;
  private final InstantSource clock;

  @Autowired
  AdminSessions(AdministratorToken token) {
    this(token, InstantSource.system());
  }

  AdminSessions(AdministratorToken token, InstantSource clock) {
    this.token = token;
    this.clock = clock;
  }

  /// A session of the administrator.
  ///
  /// @param id random; the secret of its forms
  /// @param name what the person at the login called itself; empty: nothing
  /// @param usedAt its last use, to a minute
  record AdminSession(String id, String name, Instant begunAt, Instant usedAt)
      implements AuthenticatedPrincipal {
    @Override
    public String getName() {
      return name;
    }
  }

  /// Returns a new session.
  ///
  /// @param name see [AdminSession#name]
  AdminSession begin(String name) {
    Instant now = clock.instant();
    return new AdminSession(UUID.randomUUID().toString(), name, now, now);
  }

  String value(AdminSession session) {
    String signed =
        session.id()
            + "."
            + Base64.getUrlEncoder()
                .withoutPadding()
                .encodeToString(session.name().getBytes(StandardCharsets.UTF_8))
            + "."
            + session.begunAt().getEpochSecond()
            + "."
            + session.usedAt().getEpochSecond();
    return signed + "." + mac(signed);
  }

  private String mac(String signed) {
    return token.mac("toystore administrator's session " + signed);
  }

  /// Returns the session of a cookie; empty if it is not valid or too old.
  Optional<AdminSession> find(String value) {
    Matcher parts = VALUE.matcher(value);
    return parts.matches() && isSigned(value, parts.group(5))
        ? Optional.of(
                new AdminSession(
                    parts.group(1),
                    new String(
                        Base64.getUrlDecoder().decode(parts.group(2)), StandardCharsets.UTF_8),
                    Instant.ofEpochSecond(Long.parseLong(parts.group(3))),
                    Instant.ofEpochSecond(Long.parseLong(parts.group(4)))))
            .filter(this::isAlive)
        : Optional.empty();
  }

  private boolean isSigned(String value, String mac) {
    String signed = value.substring(0, value.length() - mac.length() - 1);
    return MessageDigest.isEqual(
        mac.getBytes(StandardCharsets.UTF_8), mac(signed).getBytes(StandardCharsets.UTF_8));
  }

  private boolean isAlive(AdminSession session) {
    Instant now = clock.instant();
    return now.isBefore(session.usedAt().plus(IDLE))
        && now.isBefore(session.begunAt().plus(LONGEST));
  }

  /// Returns the session as used now; empty if its cookie need not be renewed yet.
  Optional<AdminSession> used(AdminSession session) {
    Instant now = clock.instant();
    return now.isBefore(session.usedAt().plus(RENEWAL))
        ? Optional.empty()
        : Optional.of(new AdminSession(session.id(), session.name(), session.begunAt(), now));
  }
}
