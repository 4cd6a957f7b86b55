package toystore.platform.rpc;

import io.grpc.stub.StreamObserver;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// Asks a unary question without waiting for its answer.
public final class UnaryFutures {
  private UnaryFutures() {}

  /// What the call answers. It fails with a [RpcError], the peer's or that of [Calls].
  ///
  /// @param call of an asynchronous stub, such as `it -> stub.sell(request, it)`
  public static <A> CompletionStage<A> ask(Consumer<StreamObserver<A>> call) {
    var answer = new CompletableFuture<A>();
    call.accept(
        new StreamObserver<>() {
          private @Nullable A value;

          @Override
          public void onNext(A only) {
            value = only;
          }

          @Override
          public void onError(Throwable error) {
            answer.completeExceptionally(error);
          }

          @Override
          public void onCompleted() {
            answer.complete(value); // once the call is over, trailers and all
          }
        });
    return answer;
  }
}
