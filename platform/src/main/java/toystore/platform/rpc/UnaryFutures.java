package toystore.platform.rpc;

import io.grpc.stub.StreamObserver;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// Makes a unary call without waiting for its answer.
public final class UnaryFutures {
  private UnaryFutures() {}

  /// The answer of the call. It fails with an [RpcError], from the peer or from
  /// [OutcomeInterceptor].
  ///
  /// @param method of an asynchronous stub, such as `it -> stub.sell(request, it)`
  public static <A> CompletionStage<A> call(Consumer<StreamObserver<A>> method) {
    var answer = new CompletableFuture<A>();
    method.accept(
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
            answer.complete(value); // after the trailers were received
          }
        });
    return answer;
  }

  /// Waits for an answer. Not on gRPC's threads, nor on the writer's.
  public static <T> T await(CompletionStage<T> answer) {
    return answer.toCompletableFuture().join();
  }

  /// Waits for the answer of a call as a blocking stub does.
  ///
  /// @throws RuntimeException the failure of the call, such as a [io.grpc.StatusRuntimeException]
  public static <A> A awaitCall(CompletionStage<A> answer) {
    try {
      return await(answer);
    } catch (CompletionException e) {
      throw e.getCause() instanceof RuntimeException failure ? failure : e;
    }
  }
}
