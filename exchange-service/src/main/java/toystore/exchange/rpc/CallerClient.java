package toystore.exchange.rpc;

import io.grpc.Context;
import io.grpc.Contexts;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import io.grpc.StatusRuntimeException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import org.springframework.stereotype.Component;
import toystore.account.v1.Session;
import toystore.platform.error.ErrorReason;
import toystore.platform.rpc.RpcError;
import toystore.platform.service.AdministratorToken;
import toystore.platform.service.SessionCacheClient;

/// Finds who calls: the administrator, or the user of a session that the account service knows.
/// Never blocks. Any thread.
@Component
final class CallerClient {
  private static final Metadata.Key<String> AUTHORIZATION =
      Metadata.Key.of("authorization", Metadata.ASCII_STRING_MARSHALLER);
  private static final String SCHEME = "Bearer ";
  private static final Context.Key<String> SHOWN = Context.key("toystore-authorization");

  private final SessionCacheClient sessions;
  private final AdministratorToken token;

  CallerClient(SessionCacheClient sessions, AdministratorToken token) {
    this.sessions = sessions;
    this.token = token;
  }

  /// A call without a token is refused before its request is read.
  @Component
  static final class TokenInterceptor implements ServerInterceptor {
    private final AdministratorToken token;

    TokenInterceptor(AdministratorToken token) {
      this.token = token;
    }

    @Override
    public <Q, A> ServerCall.Listener<Q> interceptCall(
        ServerCall<Q, A> call, Metadata headers, ServerCallHandler<Q, A> next) {
      String shown = headers.get(AUTHORIZATION);
      if (token.check(shown) == AdministratorToken.Shown.NONE) {
        return new RpcError(
                ErrorReason.NO_TOKEN,
                "metadata \"authorization: Bearer TOKEN\" with the token of a session or of the administrator is required")
            .refuse(call);
      }
      return Contexts.interceptCall(Context.current().withValue(SHOWN, shown), call, headers, next);
    }
  }

  /// Fails with an [RpcError] if there is none, or if the account service does not answer: nothing
  /// was done then.
  CompletionStage<ExchangeUser> find(Context call) {
    String shown = SHOWN.get(call);
    if (token.check(shown) == AdministratorToken.Shown.ADMINISTRATOR) {
      return CompletableFuture.completedFuture(ExchangeUser.ADMINISTRATOR);
    }
    return sessions
        .find(shown.substring(SCHEME.length()).strip())
        .handle((session, failure) -> {
          if (failure != null) {
            throw refusal(failure);
          }
          return user(session);
        });
  }

  private static ExchangeUser user(Session session) {
    return switch (session.getRole()) {
      case ROLE_BUYER ->
          new ExchangeUser("buyer:" + session.getAccountId(), session.getSessionId());
      case ROLE_SELLER ->
          new ExchangeUser("seller:" + session.getAccountId(), session.getSessionId());
      case ROLE_UNSPECIFIED, UNRECOGNIZED ->
          throw new IllegalStateException("unknown role of a session: " + session.getRole());
    };
  }

  private static RuntimeException refusal(Throwable failure) {
    if (!(failure instanceof CompletionException
        && failure.getCause() instanceof StatusRuntimeException exception)) {
      return new IllegalStateException("a call must fail with a status, got " + failure, failure);
    }
    ErrorReason reason = RpcError.of(exception).reason();
    if (reason.name().equals("SESSION_UNKNOWN")) {
      return new RpcError(
              ErrorReason.SESSION_ENDED, "the session is unknown or has ended; log in again")
          .toException();
    }
    return new RpcError(
            ErrorReason.NOT_DONE,
            "account service is unavailable; the request was not processed; retry later")
        .toException();
  }
}
