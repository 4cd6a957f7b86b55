package toystore.platform.rpc;

import static org.assertj.core.api.Assertions.assertThat;

import io.grpc.Grpc;
import io.grpc.InsecureChannelCredentials;
import io.grpc.InsecureServerCredentials;
import io.grpc.ManagedChannel;
import io.grpc.Server;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.stub.StreamObserver;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import toystore.order.v1.GetOrderRequest;
import toystore.order.v1.GetOrderResponse;
import toystore.order.v1.OrderServiceGrpc;
import toystore.order.v1.OrderServiceGrpc.OrderServiceFutureStub;

@Timeout(20)
class RpcExecutorSupplierTest {
  private final Semaphore entered = new Semaphore(0);
  private final CountDownLatch go = new CountDownLatch(1);
  private final List<AutoCloseable> open = new ArrayList<>();
  private volatile String thread = "";

  @AfterEach
  void close() throws Exception {
    go.countDown();
    for (AutoCloseable it : open.reversed()) {
      it.close();
    }
  }

  @ParameterizedTest
  @CsvSource({"direct, grpc-.*", "virtual, ''", "3, call-worker-[012]"})
  void callRunsOnTheConfiguredExecutor(String workers, String name) throws Exception {
    go.countDown();
    stub(workers, 10).getOrder(GetOrderRequest.getDefaultInstance()).get();
    assertThat(thread).matches(name);
  }

  @Test
  void callIsRejectedWhenQueueIsFullAndQueuedCallsComplete() throws Exception {
    OrderServiceFutureStub stub = stub("1", 2);
    List<Future<GetOrderResponse>> served = new ArrayList<>();
    served.add(stub.getOrder(GetOrderRequest.getDefaultInstance()));
    entered.acquire();
    List<Future<GetOrderResponse>> more = new ArrayList<>();
    for (int i = 0; i < 5; i++) {
      more.add(stub.getOrder(GetOrderRequest.getDefaultInstance()));
    }
    for (Future<GetOrderResponse> it : more.subList(2, 5)) {
      assertThat(refusal(it).reason()).isEqualTo(ErrorReason.OVERLOADED);
      assertThat(refusal(it).message())
          .isEqualTo(
              "server is overloaded (2 calls are waiting for a thread); the request was not processed; retry later");
    }
    go.countDown();
    served.addAll(more.subList(0, 2));
    for (Future<GetOrderResponse> it : served) {
      assertThat(it.get()).isEqualTo(GetOrderResponse.getDefaultInstance());
    }
  }

  private static RpcError refusal(Future<?> call) throws InterruptedException {
    try {
      call.get();
      throw new AssertionError("the call was not refused");
    } catch (ExecutionException e) {
      var refused = (StatusRuntimeException) Objects.requireNonNull(e.getCause());
      assertThat(refused.getStatus().getCode()).isEqualTo(Status.Code.RESOURCE_EXHAUSTED);
      return RpcError.of(refused);
    }
  }

  private OrderServiceFutureStub stub(String workers, int bound) throws IOException {
    RpcExecutorSupplier calls = RpcExecutorSupplier.of(workers, bound);
    open.add(calls);
    var builder =
        Grpc.newServerBuilderForPort(0, InsecureServerCredentials.create()).directExecutor();
    calls.serve(builder);
    Server server =
        builder
            .addService(
                new OrderServiceGrpc.OrderServiceImplBase() {
                  @Override
                  public void getOrder(
                      GetOrderRequest request, StreamObserver<GetOrderResponse> answer) {
                    thread = Thread.currentThread().getName();
                    entered.release();
                    awaitUninterruptibly();
                    answer.onNext(GetOrderResponse.getDefaultInstance());
                    answer.onCompleted();
                  }
                })
            .build()
            .start();
    open.add(server::shutdownNow);
    ManagedChannel channel =
        Grpc.newChannelBuilder("localhost:" + server.getPort(), InsecureChannelCredentials.create())
            .build();
    open.add(channel::shutdownNow);
    return OrderServiceGrpc.newFutureStub(channel);
  }

  private void awaitUninterruptibly() {
    try {
      go.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
