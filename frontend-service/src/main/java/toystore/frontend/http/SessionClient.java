package toystore.frontend.http;

import io.grpc.StatusRuntimeException;
import java.util.concurrent.CompletionException;
import org.springframework.stereotype.Component;
import toystore.account.v1.Session;
import toystore.platform.service.SessionCacheClient;

/// Finds sessions, from the cache or in the account service, which also records their use. Any
/// thread.
@Component
public final class SessionClient {
  private final SessionCacheClient sessions;
  private final PeerCalls calls;

  SessionClient(SessionCacheClient sessions, PeerCalls calls) {
    this.sessions = sessions;
    this.calls = calls.to("account");
  }

  /// Returns the session of a token, or throws an [ApiException] (401).
  public UserSession authenticate(BearerToken token) {
    Session session = calls.readFirst(() -> find(token));
    return switch (session.getRole()) {
      case ROLE_BUYER -> new BuyerSession(session.getAccountId(), session.getSessionId());
      case ROLE_SELLER -> new SellerSession(session.getAccountId(), session.getSessionId());
      case ROLE_UNSPECIFIED, UNRECOGNIZED ->
          throw new IllegalStateException("unknown role of a session: " + session.getRole());
    };
  }

  private Session find(BearerToken token) {
    try {
      return sessions.find(token.value()).toCompletableFuture().join();
    } catch (CompletionException e) {
      throw e.getCause() instanceof StatusRuntimeException refusal ? refusal : e;
    }
  }
}
