package toystore.platform.service;

import java.util.List;
import java.util.concurrent.CompletionStage;
import toystore.account.v1.AccountServiceGrpc;
import toystore.account.v1.ListEndedSessionsRequest;
import toystore.account.v1.ListEndedSessionsResponse;
import toystore.platform.rpc.UnaryFutures;

/// gRPC client of the account service for sessions that have ended. Calls never block. Any thread.
public final class EndedSessionsClient {
  /// Maximum number of sessions of a call.
  public static final int MAX_SESSIONS = 1_000;

  private final AccountServiceGrpc.AccountServiceStub accounts;

  public EndedSessionsClient(PeerChannel accountChannel, AdministratorToken token) {
    this.accounts =
        AccountServiceGrpc.newStub(accountChannel.channel())
            .withInterceptors(token.clientInterceptor());
  }

  /// Returns those of the sessions that have ended or never existed.
  ///
  /// @param sessionIds at most [#MAX_SESSIONS]
  public CompletionStage<List<Long>> findEnded(List<Long> sessionIds) {
    var request = ListEndedSessionsRequest.newBuilder().addAllSessionIds(sessionIds).build();
    return UnaryFutures.<ListEndedSessionsResponse>call(
            answer -> accounts.listEndedSessions(request, answer))
        .thenApply(ListEndedSessionsResponse::getSessionIdsList);
  }
}
