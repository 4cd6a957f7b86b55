package toystore.exchange;

import static toystore.common.RootLocale.format;

import io.grpc.Status;
import io.grpc.stub.StreamObserver;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import toystore.account.v1.AccountServiceGrpc;
import toystore.account.v1.AuthenticateRequest;
import toystore.account.v1.AuthenticateResponse;
import toystore.account.v1.ListEndedSessionsRequest;
import toystore.account.v1.ListEndedSessionsResponse;
import toystore.account.v1.Role;
import toystore.account.v1.Session;
import toystore.platform.error.ErrorReason;
import toystore.platform.rpc.RpcError;

/// Knows some sessions by their tokens.
final class FakeAuthenticator extends AccountServiceGrpc.AccountServiceImplBase {
  private final Map<String, Session> sessions = new ConcurrentHashMap<>();
  private final AtomicLong ids = new AtomicLong();
  volatile boolean unavailable;

  /// @return its token
  String login(Role role, long accountId) {
    long id = ids.incrementAndGet();
    String token = format("%s-%d-%d", role, accountId, id);
    sessions.put(
        token, Session.newBuilder().setSessionId(id).setRole(role).setAccountId(accountId).build());
    return token;
  }

  void logout(String token) {
    sessions.remove(token);
  }

  @Override
  public void listEndedSessions(
      ListEndedSessionsRequest request, StreamObserver<ListEndedSessionsResponse> observer) {
    var alive = sessions.values().stream().map(Session::getSessionId).toList();
    observer.onNext(
        ListEndedSessionsResponse.newBuilder()
            .addAllSessionIds(
                request.getSessionIdsList().stream().filter(it -> !alive.contains(it)).toList())
            .build());
    observer.onCompleted();
  }

  @Override
  public void authenticate(
      AuthenticateRequest request, StreamObserver<AuthenticateResponse> observer) {
    Session session = sessions.get(request.getToken());
    if (unavailable) {
      observer.onError(Status.UNAVAILABLE.asRuntimeException());
    } else if (session == null) {
      observer.onError(new RpcError(ErrorReason.SESSION_UNKNOWN, "unknown").toException());
    } else {
      observer.onNext(AuthenticateResponse.newBuilder().setSession(session).build());
      observer.onCompleted();
    }
  }
}
