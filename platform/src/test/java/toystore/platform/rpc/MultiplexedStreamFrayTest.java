package toystore.platform.rpc;

import static org.assertj.core.api.Assertions.assertThat;

import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.ClientCall;
import io.grpc.ClientInterceptors;
import io.grpc.Deadline;
import io.grpc.Metadata;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.ExtendWith;
import org.pastalab.fray.junit.junit5.FrayTestExtension;
import org.pastalab.fray.junit.junit5.annotations.FrayTest;
import toystore.clients.Concurrently;
import toystore.multiplex.v1.ConnectRequest;
import toystore.multiplex.v1.ConnectResponse;
import toystore.order.v1.GetOrderRequest;
import toystore.order.v1.GetOrderResponse;
import toystore.order.v1.OrderServiceGrpc;
import toystore.platform.error.ErrorReason;

/// The client's side of a stream while it ends. Each call ends once and arrives once at most; one
/// that ends as not done has not arrived.
@Tag("long")
@ExtendWith(FrayTestExtension.class)
class MultiplexedStreamFrayTest {
  private static final Duration DEADLINE = Duration.ofSeconds(1);

  private final FakePeer peer = new FakePeer();
  private final Queue<Runnable> deadlineChecks = new ConcurrentLinkedQueue<>();
  private final AtomicLong nanos = new AtomicLong();
  private final Channel channel =
      ClientInterceptors.interceptForward(
          peer, new OutcomeInterceptor(DEADLINE), new MultiplexInterceptor(new ManualScheduler()));
  private final List<Caller> callers = new ArrayList<>();

  private final class ManualScheduler extends ScheduledThreadPoolExecutor {
    ManualScheduler() {
      super(0);
    }

    @Override
    @SuppressWarnings("NullAway") // nobody uses the result
    public ScheduledFuture<?> schedule(Runnable task, long delay, TimeUnit unit) {
      deadlineChecks.add(task);
      return null;
    }
  }

  private final class ManualTicker extends Deadline.Ticker {
    @Override
    public long nanoTime() {
      return nanos.get();
    }
  }

  /// A call that is sent when it runs.
  private final class Caller extends ClientCall.Listener<GetOrderResponse> implements Runnable {
    final long number = callers.size();
    final Queue<StatusRuntimeException> ends = new ConcurrentLinkedQueue<>();
    final ClientCall<GetOrderRequest, GetOrderResponse> call =
        channel.newCall(
            OrderServiceGrpc.getGetOrderMethod(),
            CallOptions.DEFAULT.withDeadline(
                Deadline.after(DEADLINE.toNanos(), TimeUnit.NANOSECONDS, new ManualTicker())));

    Caller() {
      call.start(this, new Metadata());
      call.sendMessage(GetOrderRequest.newBuilder().setNumber(number).build());
      callers.add(this);
    }

    @Override
    public void run() {
      call.halfClose();
    }

    @Override
    public void onClose(Status status, Metadata trailers) {
      ends.add(status.asRuntimeException(trailers));
    }
  }

  MultiplexedStreamFrayTest() {
    Concurrently.initialize(() -> {
      new MultiplexedStreamFrayTest().eachCallEndsWhenTheStreamBreaks();
      new MultiplexedStreamFrayTest().eachCallIsAnsweredWhenTheServerDrains();
      new MultiplexedStreamFrayTest().cancelledCallStaysCancelledWhileItBecomesUnary();
      new MultiplexedStreamFrayTest().eachCallEndsAtItsDeadline();
    });
  }

  @FrayTest(iterations = 500, resetClassLoaderPerIteration = false)
  void eachCallEndsWhenTheStreamBreaks() {
    var stream = openStream();
    Concurrently.run(
        new Caller(),
        new Caller(),
        new Caller(),
        new Caller(),
        () -> stream.close(Status.UNAVAILABLE));
    peer.answerAll();
    assertAllEnded();
  }

  @FrayTest(iterations = 500, resetClassLoaderPerIteration = false)
  void eachCallIsAnsweredWhenTheServerDrains() {
    var stream = openStream();
    Concurrently.run(new Caller(), new Caller(), new Caller(), new Caller(), () -> drain(stream));
    peer.answerAll();
    assertAllEnded();
    assertThat(callers).allMatch(it -> it.ends.element().getStatus().isOk());
  }

  private static void drain(FakeCall<ConnectRequest, ConnectResponse> stream) {
    stream.send(ConnectResponse.newBuilder().setDraining(true).build());
    try {
      stream.halfClosed.await();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
    FakePeer.answer(stream);
    stream.close(Status.OK);
  }

  @FrayTest(iterations = 500, resetClassLoaderPerIteration = false)
  void cancelledCallStaysCancelledWhileItBecomesUnary() {
    var stream = openStream();
    Concurrently.run(
        () -> stream.close(Status.UNIMPLEMENTED),
        () -> callers.getFirst().call.cancel("cancelled", null));
    assertThat(peer.unary).allMatch(FakeCall::isCancelled);
    peer.streams.clear(); // a peer without streams begins no call of them
    assertAllEnded();
  }

  @FrayTest(iterations = 500, resetClassLoaderPerIteration = false)
  void eachCallEndsAtItsDeadline() {
    openStream();
    Concurrently.run(new Caller(), new Caller(), this::passDeadline);
    passDeadline();
    assertAllEnded();
  }

  private void passDeadline() {
    nanos.addAndGet(DEADLINE.toNanos());
    for (int waiting = deadlineChecks.size(); waiting > 0; waiting--) {
      deadlineChecks.remove().run();
    }
  }

  private FakeCall<ConnectRequest, ConnectResponse> openStream() {
    new Caller().run();
    return peer.streams.element();
  }

  private void assertAllEnded() {
    assertThat(callers).allMatch(it -> it.ends.size() == 1);
    assertThat(peer.received()).doesNotHaveDuplicates();
    for (Caller caller : callers) {
      StatusRuntimeException end = caller.ends.element();
      if (!end.getStatus().isOk() && RpcError.of(end).reason() == ErrorReason.NOT_DONE) {
        assertThat(peer.received()).doesNotContain(caller.number);
      }
    }
  }
}
