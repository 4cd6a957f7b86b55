package toystore.order;

import java.util.List;
import java.util.concurrent.CompletionStage;
import org.springframework.stereotype.Component;
import toystore.account.v1.AccountServiceGrpc;
import toystore.account.v1.ListEndedSessionsRequest;
import toystore.account.v1.ListEndedSessionsResponse;
import toystore.platform.rpc.UnaryFutures;
import toystore.platform.service.AdministratorToken;
import toystore.platform.service.PeerChannel;

/// gRPC client of the account service. Calls never block. Any thread.
@Component
final class EndedSessionsClient {
  private final AccountServiceGrpc.AccountServiceStub accounts;

  EndedSessionsClient(PeerChannel accountChannel, AdministratorToken token) {
    this.accounts =
        AccountServiceGrpc.newStub(accountChannel.channel())
            .withInterceptors(token.clientInterceptor());
  }

  /// Returns those of the sessions that have ended or never existed.
  ///
  /// @param sessionIds at most 1,000
  CompletionStage<List<Long>> ended(List<Long> sessionIds) {
    var request = ListEndedSessionsRequest.newBuilder().addAllSessionIds(sessionIds).build();
    return UnaryFutures.<ListEndedSessionsResponse>call(
            answer -> accounts.listEndedSessions(request, answer))
        .thenApply(ListEndedSessionsResponse::getSessionIdsList);
  }
}
