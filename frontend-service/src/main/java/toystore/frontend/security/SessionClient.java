package toystore.frontend.security;

import org.springframework.security.authentication.AuthenticationManager;
import org.springframework.security.authentication.BadCredentialsException;
import org.springframework.security.core.Authentication;
import org.springframework.security.core.authority.AuthorityUtils;
import org.springframework.security.web.authentication.preauth.PreAuthenticatedAuthenticationToken;
import org.springframework.stereotype.Component;
import toystore.account.v1.Session;
import toystore.frontend.http.PeerCalls;
import toystore.frontend.http.error.ApiException;
import toystore.platform.rpc.UnaryFutures;
import toystore.platform.service.PeerChannel;
import toystore.platform.service.SessionCacheClient;

/// Finds the session of a token, in the cache or in the account service, which also records its
/// use. Any thread.
@Component
public final class SessionClient implements AuthenticationManager {
  private final SessionCacheClient sessions;
  private final PeerCalls calls;

  SessionClient(SessionCacheClient sessions, PeerChannel accountChannel) {
    this.sessions = sessions;
    this.calls = new PeerCalls(accountChannel);
  }

  @Override
  public Authentication authenticate(Authentication unchecked) {
    try {
      UserSession session = find(BearerToken.of(unchecked));
      return new PreAuthenticatedAuthenticationToken(
          session,
          session.token(),
          AuthorityUtils.createAuthorityList("ROLE_" + session.role().name()));
    } catch (ApiException e) {
      if (e.status() == 401) {
        throw new BadCredentialsException(e.message(), e);
      }
      throw e;
    }
  }

  /// Returns the session of a token, or throws an [ApiException] (401).
  public UserSession find(BearerToken token) {
    Session session = calls.readFirst(() -> UnaryFutures.awaitCall(sessions.find(token.value())));
    AccountRole role =
        switch (session.getRole()) {
          case ROLE_BUYER -> AccountRole.BUYER;
          case ROLE_SELLER -> AccountRole.SELLER;
          case ROLE_UNSPECIFIED, UNRECOGNIZED ->
              throw new IllegalStateException("unknown role of a session: " + session.getRole());
        };
    return new UserSession(role, session.getAccountId(), session.getSessionId(), token);
  }
}
