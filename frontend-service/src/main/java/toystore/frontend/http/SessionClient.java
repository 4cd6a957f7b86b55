package toystore.frontend.http;

import org.springframework.stereotype.Component;
import toystore.account.v1.AccountServiceGrpc;
import toystore.account.v1.AccountServiceGrpc.AccountServiceBlockingStub;
import toystore.account.v1.AuthenticateRequest;
import toystore.account.v1.Session;
import toystore.platform.service.AdministratorToken;
import toystore.platform.service.PeerChannel;

/// Finds sessions in the account service, which also records their use. Any thread.
@Component
public final class SessionClient {
  private final AccountServiceBlockingStub accounts;
  private final PeerCalls calls;

  SessionClient(PeerChannel accountChannel, AdministratorToken token, PeerCalls calls) {
    this.accounts =
        AccountServiceGrpc.newBlockingStub(accountChannel.channel())
            .withInterceptors(token.clientInterceptor());
    this.calls = calls.to("account");
  }

  /// Returns the session of a token, or throws an [ApiException] (401).
  public UserSession authenticate(BearerToken token) {
    var request = AuthenticateRequest.newBuilder().setToken(token.value()).build();
    Session session = calls.readFirst(() -> accounts.authenticate(request)).getSession();
    return switch (session.getRole()) {
      case ROLE_BUYER -> new BuyerSession(session.getAccountId(), session.getSessionId());
      case ROLE_SELLER -> new SellerSession(session.getAccountId(), session.getSessionId());
      case ROLE_UNSPECIFIED, UNRECOGNIZED ->
          throw new IllegalStateException("unknown role of a session: " + session.getRole());
    };
  }
}
