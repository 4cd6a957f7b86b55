package toystore.platform.rpc;

import static org.assertj.core.api.Assertions.assertThat;

import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.ServerMethodDefinition;
import io.grpc.Status;
import io.grpc.stub.ServerCallStreamObserver;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.ExtendWith;
import org.pastalab.fray.junit.junit5.FrayTestExtension;
import org.pastalab.fray.junit.junit5.annotations.FrayTest;
import toystore.clients.Concurrently;
import toystore.multiplex.v1.Call;
import toystore.multiplex.v1.ConnectRequest;
import toystore.multiplex.v1.ConnectResponse;
import toystore.multiplex.v1.Result;
import toystore.order.v1.GetOrderRequest;
import toystore.order.v1.GetOrderResponse;
import toystore.order.v1.OrderServiceGrpc;

/// The server's side of a stream, whose calls are answered by other threads. Each call that is not
/// cancelled has one result, and the stream ends once, after all of them.
@Tag("long")
@ExtendWith(FrayTestExtension.class)
class ServedStreamFrayTest {
  private static final String METHOD = OrderServiceGrpc.getGetOrderMethod().getFullMethodName();

  private final BlockingQueue<ServerCall<GetOrderRequest, GetOrderResponse>> begun =
      new LinkedBlockingQueue<>();
  private final Queue<Long> cancelled = new ConcurrentLinkedQueue<>();
  private final AtomicInteger ends = new AtomicInteger();
  private final Caller caller = new Caller();
  private final ServedStream stream =
      new ServedStream(caller, Map.of(METHOD, definition()), _ -> ends.incrementAndGet());

  private ServerMethodDefinition<GetOrderRequest, GetOrderResponse> definition() {
    return ServerMethodDefinition.create(
        OrderServiceGrpc.getGetOrderMethod(),
        (call, _) ->
            new ServerCall.Listener<>() {
              private long number;

              @Override
              public void onMessage(GetOrderRequest request) {
                number = request.getNumber();
              }

              @Override
              public void onHalfClose() {
                begun.add(call);
              }

              @Override
              public void onCancel() {
                cancelled.add(number);
              }
            });
  }

  /// Receives the results. As in grpc-java, one thread at a time may send, and none after the end.
  private static final class Caller extends ServerCallStreamObserver<ConnectResponse> {
    final Queue<Long> results = new ConcurrentLinkedQueue<>();
    final AtomicInteger draining = new AtomicInteger();
    private final AtomicBoolean sending = new AtomicBoolean();
    private final AtomicBoolean ended = new AtomicBoolean();
    private volatile Runnable onCancel = () -> {};

    @Override
    public void onNext(ConnectResponse response) {
      assertThat(sending.getAndSet(true)).as("several threads send").isFalse();
      assertThat(ended).isFalse();
      response.getResultsList().stream().map(Result::getId).forEach(results::add);
      draining.addAndGet(response.getDraining() ? 1 : 0);
      sending.set(false);
    }

    @Override
    public void onCompleted() {
      assertThat(ended.getAndSet(true)).isFalse();
    }

    @Override
    public void onError(Throwable failure) {
      throw new AssertionError("the stream failed", failure);
    }

    @Override
    public boolean isReady() {
      return true;
    }

    @Override
    public void setOnCancelHandler(Runnable handler) {
      onCancel = handler;
    }

    @Override
    public boolean isCancelled() {
      return false;
    }

    @Override
    public void setOnReadyHandler(Runnable handler) {}

    @Override
    public void setCompression(String compression) {}

    @Override
    public void setMessageCompression(boolean enable) {}

    @Override
    public void disableAutoInboundFlowControl() {}

    @Override
    public void disableAutoRequest() {}

    @Override
    public void request(int messages) {}
  }

  ServedStreamFrayTest() {
    Concurrently.initialize(() -> {
      new ServedStreamFrayTest().eachCallIsAnsweredBeforeTheStreamEnds();
      new ServedStreamFrayTest().eachCallIsAnsweredOrCancelledWhenTheCallerLeaves();
    });
  }

  @FrayTest(iterations = 500, resetClassLoaderPerIteration = false)
  void eachCallIsAnsweredBeforeTheStreamEnds() {
    Concurrently.run(
        () -> {
          receive(List.of(1, 2), List.of());
          receive(List.of(3), List.of(1));
          stream.onCompleted();
        },
        () -> answer(2),
        () -> answer(1),
        stream::drain);
    assertThat(caller.ended).isTrue();
    assertThat(ends).hasValue(1);
    assertThat(caller.results).contains(2L, 3L);
    assertThat(answeredOrCancelled()).containsExactlyInAnyOrder(1L, 2L, 3L);
  }

  @FrayTest(iterations = 500, resetClassLoaderPerIteration = false)
  void eachCallIsAnsweredOrCancelledWhenTheCallerLeaves() {
    receive(List.of(1, 2, 3), List.of());
    Concurrently.run(() -> caller.onCancel.run(), () -> answer(2), () -> answer(1), stream::drain);
    assertThat(ends).hasValue(1);
    assertThat(answeredOrCancelled()).containsExactlyInAnyOrder(1L, 2L, 3L);
  }

  private List<Long> answeredOrCancelled() {
    return Stream.concat(caller.results.stream(), cancelled.stream()).toList();
  }

  private void receive(List<Integer> started, List<Integer> cancelledIds) {
    var request = ConnectRequest.newBuilder();
    for (int id : started) {
      request.addCalls(
          Call.newBuilder()
              .setId(id)
              .setMethod(METHOD)
              .setMessage(GetOrderRequest.newBuilder().setNumber(id).build().toByteString()));
    }
    cancelledIds.forEach(request::addCancelled);
    stream.onNext(request.build());
  }

  private void answer(int calls) {
    try {
      for (int i = 0; i < calls; i++) {
        var call = begun.take();
        call.sendMessage(GetOrderResponse.getDefaultInstance());
        call.close(Status.OK, new Metadata());
      }
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }
}
