package toystore.frontend;

import io.grpc.StatusRuntimeException;
import io.grpc.stub.StreamObserver;
import java.util.function.Supplier;

/// Answers a call with a value, or with the error its making ended in.
final class FakeResponses {
  private FakeResponses() {}

  static <A> void send(StreamObserver<A> to, Supplier<A> answer) {
    try {
      to.onNext(answer.get());
      to.onCompleted();
    } catch (StatusRuntimeException e) {
      to.onError(e);
    }
  }
}
