package toystore.frontend;

import io.grpc.StatusRuntimeException;
import io.grpc.stub.StreamObserver;
import java.util.function.Supplier;

/// Sends a value, or the error that the supplier throws.
final class FakeResponses {
  private FakeResponses() {}

  static <A> void send(StreamObserver<A> responseObserver, Supplier<A> response) {
    try {
      responseObserver.onNext(response.get());
      responseObserver.onCompleted();
    } catch (StatusRuntimeException e) {
      responseObserver.onError(e);
    }
  }
}
