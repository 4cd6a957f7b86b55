package toystore.order.purchases;

import io.grpc.Status;
import io.grpc.stub.StreamObserver;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import toystore.account.v1.AccountServiceGrpc;
import toystore.account.v1.ListEndedSessionsRequest;
import toystore.account.v1.ListEndedSessionsResponse;

final class FakeSessions extends AccountServiceGrpc.AccountServiceImplBase {
  final Set<Long> ended = ConcurrentHashMap.newKeySet();
  volatile boolean unavailable;

  @Override
  public void listEndedSessions(
      ListEndedSessionsRequest request, StreamObserver<ListEndedSessionsResponse> observer) {
    if (unavailable) {
      observer.onError(Status.UNAVAILABLE.asRuntimeException());
      return;
    }
    observer.onNext(
        ListEndedSessionsResponse.newBuilder()
            .addAllSessionIds(request.getSessionIdsList().stream().filter(ended::contains).toList())
            .build());
    observer.onCompleted();
  }
}
