package toystore.platform.service;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;
import static toystore.clients.Conditions.await;

import com.google.common.util.concurrent.ListenableFuture;
import io.github.resilience4j.bulkhead.BulkheadConfig;
import io.grpc.CallOptions;
import io.grpc.Grpc;
import io.grpc.InsecureChannelCredentials;
import io.grpc.InsecureServerCredentials;
import io.grpc.ManagedChannel;
import io.grpc.Server;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.netty.NettyChannelBuilder;
import io.grpc.stub.ClientCalls;
import io.grpc.stub.StreamObserver;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.net.Proxy;
import java.net.ProxySelector;
import java.net.SocketAddress;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.grpc.client.ChannelBuilderOptions;
import org.springframework.grpc.client.GrpcChannelFactory;
import toystore.common.v1.AuditRequest;
import toystore.common.v1.AuditServiceGrpc;
import toystore.order.v1.GetOrderRequest;
import toystore.order.v1.GetOrderResponse;
import toystore.order.v1.OrderServiceGrpc;
import toystore.platform.error.ErrorReason;
import toystore.platform.rpc.RpcError;
import toystore.platform.rpc.UnaryFutures;

/// Tests a real client with a real server. Each test sets the server's answers.
@Timeout(30)
class PeerChannelTest {
  private static final ErrorReason OUT_OF_STOCK = ErrorReason.OUT_OF_STOCK;

  private static final ErrorReason CATALOG_BEHIND = ErrorReason.CATALOG_BEHIND;

  private static final GetOrderRequest QUESTION = GetOrderRequest.getDefaultInstance();
  private static final Duration LONG = Duration.ofSeconds(20);
  private static final Duration SHORT = Duration.ofMillis(300);

  /// A peer that is silent for less is slow.
  private static final Duration SECOND = Duration.ofSeconds(1);

  private final SimpleMeterRegistry metrics = new SimpleMeterRegistry();
  private final FakeOrderRpc peer = new FakeOrderRpc();
  private final List<AutoCloseable> opened = new ArrayList<>();
  private int port;

  /// A fake order service. While it is silent, it does not answer. Otherwise it returns the
  /// prepared errors in order, and then successful answers.
  private static final class FakeOrderRpc extends OrderServiceGrpc.OrderServiceImplBase {
    final AtomicInteger asked = new AtomicInteger();
    final Queue<StatusRuntimeException> errors = new ArrayDeque<>();
    final List<StreamObserver<GetOrderResponse>> waiting = new ArrayList<>();
    volatile boolean silent;

    @Override
    public synchronized void getOrder(
        GetOrderRequest request, StreamObserver<GetOrderResponse> answer) {
      boolean silentNow = silent; // read first: tests change it when they see the count
      asked.incrementAndGet();
      if (silentNow) {
        waiting.add(answer);
      } else if (errors.isEmpty()) {
        answer.onNext(GetOrderResponse.getDefaultInstance());
        answer.onCompleted();
      } else {
        answer.onError(errors.remove());
      }
    }

    synchronized void answerWaiting() {
      for (var answer : waiting) {
        answer.onNext(GetOrderResponse.getDefaultInstance());
        answer.onCompleted();
      }
      waiting.clear();
    }
  }

  @BeforeEach
  void start() throws IOException {
    Server server =
        Grpc.newServerBuilderForPort(0, InsecureServerCredentials.create())
            .addService(peer)
            .build()
            .start();
    opened.add(server::shutdownNow);
    port = server.getPort();
  }

  @AfterEach
  void close() throws Exception {
    for (AutoCloseable it : opened.reversed()) {
      it.close();
    }
  }

  @Test
  void circuitOpensWhenPeerDoesNotAnswer() {
    peer.silent = true;
    var stub = stub(open(SECOND, settings(4, LONG)));

    assertThat(reason(() -> stub.getOrder(QUESTION))).isEqualTo(ErrorReason.OUTCOME_UNKNOWN);
    assertThat(reason(() -> stub.getOrder(QUESTION))).isEqualTo(ErrorReason.OUTCOME_UNKNOWN);
    assertThat(problem(() -> stub.getOrder(QUESTION)))
        .isEqualTo(
            new RpcError(
                ErrorReason.NOT_DONE,
                "order is unavailable (circuit open); the request was not processed; retry later"));
    assertThat(peer.asked).hasValue(2);
    assertThat(breakerIs("open")).isTrue();
  }

  @Test
  void openCircuitClosesAfterAnAnswer() {
    peer.silent = true;
    var stub = stub(open(SECOND, settings(2, Duration.ofMillis(50))));
    assertThat(reason(() -> stub.getOrder(QUESTION))).isEqualTo(ErrorReason.OUTCOME_UNKNOWN);
    assertThat(breakerIs("open")).isTrue();

    peer.silent = false;
    await(() -> catchThrowable(() -> stub.getOrder(QUESTION)) == null);

    assertThat(breakerIs("closed")).isTrue();
  }

  @Test
  void refusalOrFullQueueDoesNotOpenTheCircuit() {
    for (int i = 0; i < 20; i++) {
      peer.errors.add(error(ErrorReason.OVERLOADED));
      peer.errors.add(error(OUT_OF_STOCK));
      peer.errors.add(error(ErrorReason.TOO_LATE));
    }
    var stub = stub(open(LONG, settings(4, LONG)));
    for (int i = 0; i < 60; i++) {
      assertThat(catchThrowable(() -> stub.getOrder(QUESTION))).isNotNull();
    }
    assertThat(peer.asked).hasValue(60);
    assertThat(breakerIs("closed")).isTrue();
  }

  @Test
  void timeoutDoesNotOpenTheCircuitWhenPeerAnswersOtherCalls() {
    peer.silent = true;
    var channel = open(SECOND, settings(2, LONG));
    var late = OrderServiceGrpc.newFutureStub(channel.channel()).getOrder(QUESTION);
    await(() -> peer.asked.get() == 1);
    peer.silent = false;
    var stub = stub(channel);
    while (!late.isDone()) {
      assertThat(stub.getOrder(QUESTION)).isEqualTo(GetOrderResponse.getDefaultInstance());
    }
    assertThat(catchThrowable(late::get)).hasMessageContaining("DEADLINE_EXCEEDED");
    assertThat(
            metrics.get("resilience4j.circuitbreaker.calls").tag("kind", "failed").timer().count())
        .isZero();
  }

  @Test
  void shortTimeoutDoesNotOpenTheCircuit() {
    peer.silent = true;
    var stub = stub(open(SHORT, settings(2, LONG)));
    for (int i = 0; i < 5; i++) {
      assertThat(reason(() -> stub.getOrder(QUESTION))).isEqualTo(ErrorReason.OUTCOME_UNKNOWN);
    }
    assertThat(breakerIs("closed")).isTrue();
  }

  @Test
  void cancelledCallDoesNotCountForTheCircuit() throws IOException {
    peer.silent = true;
    var channel = open(LONG, settings(2, LONG));
    for (int i = 1; i <= 10; i++) {
      int count = i;
      var call =
          channel.channel().newCall(OrderServiceGrpc.getGetOrderMethod(), CallOptions.DEFAULT);
      var answer = ClientCalls.futureUnaryCall(call, QUESTION);
      await(() -> peer.asked.get() == count);
      answer.cancel(true);
    }
    assertThat(breakerIs("closed")).isTrue();
    await(() -> metric("resilience4j.bulkhead.available.concurrent.calls") == 3);
  }

  @Test
  void callBeyondTheLimitIsRefusedImmediately() {
    peer.silent = true;
    var channel = open(LONG, settings(100, LONG));
    var stub = OrderServiceGrpc.newFutureStub(channel.channel());
    var first = List.of(stub.getOrder(QUESTION), stub.getOrder(QUESTION), stub.getOrder(QUESTION));

    assertThat(problem(() -> stub(channel).getOrder(QUESTION)))
        .isEqualTo(
            new RpcError(
                ErrorReason.OVERLOADED,
                "server is overloaded (3 calls to order in progress); the request was not processed;"
                    + " retry later"));
    assertThat(metric("resilience4j.bulkhead.available.concurrent.calls")).isZero();

    first.forEach(it -> it.cancel(true));
    peer.silent = false;
    await(() -> catchThrowable(() -> stub(channel).getOrder(QUESTION)) == null);
  }

  @Test
  void waitForAPermitIsNotPartOfTheDeadline() throws Exception {
    peer.silent = true;
    var waiting = BulkheadConfig.custom().maxConcurrentCalls(1).maxWaitDuration(LONG).build();
    var channel = open(SHORT, settings(2, LONG), waiting);
    var first = OrderServiceGrpc.newFutureStub(channel.channel()).withDeadlineAfter(LONG);
    var answered = first.getOrder(QUESTION);
    await(() -> peer.asked.get() == 1);
    peer.silent = false;
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      var second = threads.submit(() -> stub(channel).getOrder(QUESTION));
      long start = System.nanoTime();
      await(() -> System.nanoTime() - start > SHORT.multipliedBy(2).toNanos());
      peer.answerWaiting();

      assertThat(second.get()).isEqualTo(GetOrderResponse.getDefaultInstance());
      assertThat(answered.get()).isEqualTo(GetOrderResponse.getDefaultInstance());
    }
  }

  @Test
  void slowCallsHoldNoPermitOfOtherCalls() throws Exception {
    peer.silent = true;
    var channel = open(LONG, settings(100, LONG));
    var slow = OrderServiceGrpc.newFutureStub(channel.channelForSlowCalls(4));
    var first = new ArrayList<ListenableFuture<GetOrderResponse>>();
    for (int i = 1; i <= 4; i++) {
      first.add(slow.getOrder(QUESTION));
    }
    await(() -> peer.asked.get() == 4);
    peer.silent = false;

    assertThat(
            problem(() ->
                OrderServiceGrpc.newBlockingStub(channel.channelForSlowCalls(4))
                    .getOrder(QUESTION)))
        .isEqualTo(
            new RpcError(
                ErrorReason.OVERLOADED,
                "server is overloaded (4 calls to order-slow-calls in progress); the request was not"
                    + " processed; retry later"));
    assertThat(stub(channel).getOrder(QUESTION)).isEqualTo(GetOrderResponse.getDefaultInstance());
    peer.answerWaiting();
    for (var it : first) {
      assertThat(it.get()).isEqualTo(GetOrderResponse.getDefaultInstance());
    }
  }

  @Test
  void callWithoutCircuitBreakerIsNeverRefused() {
    peer.silent = true;
    var channel = open(SECOND, settings(2, LONG));
    var stub = stub(channel);
    assertThat(reason(() -> stub.getOrder(QUESTION))).isEqualTo(ErrorReason.OUTCOME_UNKNOWN);
    peer.silent = false;
    assertThat(OrderServiceGrpc.newBlockingStub(channel.withoutCircuitBreaker()).getOrder(QUESTION))
        .isEqualTo(GetOrderResponse.getDefaultInstance());
    assertThat(breakerIs("open")).isTrue();
  }

  @Test
  void callWithIdempotencyKeyIsRetriedWhenPeerIsUnavailable() {
    var channel = open(LONG, settings(100, LONG));
    peer.errors.addAll(List.of(unavailable(), unavailable()));
    assertThat(call(channel)).isEqualTo(GetOrderResponse.getDefaultInstance());
    peer.errors.addAll(List.of(unavailable(), unavailable()));
    assertThat(ask(channel).toCompletableFuture().join())
        .isEqualTo(GetOrderResponse.getDefaultInstance());
    assertThat(peer.asked).hasValue(6);
    assertThat(
            metrics
                .get("resilience4j.retry.calls")
                .tags("name", "order", "kind", "successful_with_retry")
                .functionCounter()
                .count())
        .isEqualTo(2);
  }

  @Test
  void callToPeerThatTheStoreDoesNotHaveIsRefused() {
    CallLimits settings = settings(4, LONG);
    var resilience = new PeerResilience("frontend", settings, settings.failFastBulkhead(), metrics);
    opened.add(resilience);
    var channel = new PeerChannel(new Plain(), "order", "", LONG, resilience);
    opened.add(channel);

    assertThat(channel.isConfigured()).isFalse();
    assertThat(problem(() -> stub(channel).getOrder(QUESTION)))
        .isEqualTo(
            new RpcError(
                ErrorReason.NOT_CONFIGURED,
                "this store runs without the order service; the request was not processed"));
  }

  @Test
  void cutPeerGetsNoCallUntilItIsRestored() throws IOException {
    peer.silent = true;
    var channel = open(LONG, settings(100, LONG));
    var stub = OrderServiceGrpc.newStub(channel.channel());
    var begun =
        UnaryFutures.<GetOrderResponse>call(answer -> stub.getOrder(QUESTION, answer))
            .toCompletableFuture();
    await(() -> peer.asked.get() == 1);
    peer.silent = false;

    channel.cut();
    channel.cut(); // changes nothing

    assertThat(reason(begun::join)).isEqualTo(ErrorReason.OUTCOME_UNKNOWN);
    for (int i = 0; i < 3; i++) {
      assertThat(reason(() -> stub(channel).withDeadlineAfter(SHORT).getOrder(QUESTION)))
          .isEqualTo(ErrorReason.NOT_DONE);
    }
    assertThat(peer.asked).hasValue(1);

    channel.restore();
    channel.restore(); // changes nothing

    assertThat(stub(channel).getOrder(QUESTION)).isEqualTo(GetOrderResponse.getDefaultInstance());
    assertThat(peer.asked).hasValue(2);
  }

  @Test
  void retriesAreLimited() {
    var channel = open(LONG, settings(100, LONG));
    peer.errors.addAll(List.of(unavailable(), unavailable(), unavailable(), unavailable()));
    assertThat(reason(() -> call(channel))).isEqualTo(ErrorReason.OUTCOME_UNKNOWN);
    assertThat(peer.asked).hasValue(3);
  }

  @Test
  void answeredCallIsNotRetried() {
    var channel = open(LONG, settings(100, LONG));
    for (var reason : List.of(OUT_OF_STOCK, ErrorReason.OVERLOADED, ErrorReason.NOT_DONE)) {
      peer.errors.add(error(reason));
      assertThat(reason(() -> call(channel))).isEqualTo(reason);
      peer.errors.add(error(reason));
      assertThat(reason(() -> ask(channel).toCompletableFuture().join())).isEqualTo(reason);
    }
    assertThat(peer.asked).hasValue(6);
  }

  @Test
  void timedOutCallIsNotRetried() {
    peer.silent = true;
    var channel = open(SHORT, settings(100, LONG));
    assertThat(reason(() -> call(channel))).isEqualTo(ErrorReason.OUTCOME_UNKNOWN);
    assertThat(peer.asked).hasValue(1);
  }

  @Test
  void outcomeStaysUnknownWhenRetryIsNotDone() {
    var channel = open(LONG, settings(100, LONG));
    for (var reason : List.of(ErrorReason.OVERLOADED, ErrorReason.NOT_DONE, CATALOG_BEHIND)) {
      peer.errors.addAll(List.of(unavailable(), error(reason)));
      assertThat(reason(() -> call(channel))).isEqualTo(ErrorReason.OUTCOME_UNKNOWN);
      peer.errors.addAll(List.of(unavailable(), error(reason)));
      assertThat(reason(() -> ask(channel).toCompletableFuture().join()))
          .isEqualTo(ErrorReason.OUTCOME_UNKNOWN);
    }
  }

  @Test
  void retryThatIsDecidedDeterminesTheOutcome() {
    var channel = open(LONG, settings(100, LONG));
    peer.errors.addAll(List.of(unavailable(), error(OUT_OF_STOCK)));
    assertThat(reason(() -> call(channel))).isEqualTo(OUT_OF_STOCK);
  }

  @Test
  void allAttemptsShareOneDeadline() {
    var channel = open(SHORT, new CallLimits(3, 100, 100, LONG, 10, Duration.ofMillis(80)));
    for (int i = 0; i < 10; i++) {
      peer.errors.add(unavailable());
    }
    assertThat(reason(() -> call(channel))).isEqualTo(ErrorReason.OUTCOME_UNKNOWN);
    assertThat(peer.asked.get()).isBetween(1, 6); // pauses of 80, 160 and 320 ms exceed SHORT
  }

  /// Returns settings with at most three calls in progress and three attempts per call. The circuit
  /// opens when half of the calls in the window have failed.
  private static CallLimits settings(int window, Duration open) {
    return new CallLimits(3, window, 50, open, 3, Duration.ofMillis(1));
  }

  /// `https.proxyHost` of the JVM is for other traffic.
  @Test
  void proxyOfTheJvmIsNotUsed() {
    ProxySelector usual = ProxySelector.getDefault();
    var asked = new ConcurrentLinkedQueue<URI>();
    ProxySelector.setDefault(
        new ProxySelector() {
          @Override
          public List<Proxy> select(URI to) {
            asked.add(to);
            return List.of(Proxy.NO_PROXY);
          }

          @Override
          public void connectFailed(URI to, SocketAddress proxy, IOException failure) {}
        });
    try {
      ManagedChannel channel =
          PeerAddresses.configure(
                  NettyChannelBuilder.forAddress("127.0.0.1", port).usePlaintext(), "static://x:1")
              .build();
      opened.add(channel::shutdownNow);
      OrderServiceGrpc.newBlockingStub(channel).getOrder(QUESTION);
      assertThat(asked).isEmpty();
    } finally {
      ProxySelector.setDefault(usual);
    }
  }

  private PeerChannel open(Duration deadline, CallLimits settings) {
    return open(deadline, settings, settings.failFastBulkhead());
  }

  private PeerChannel open(Duration deadline, CallLimits settings, BulkheadConfig bulkhead) {
    var resilience = new PeerResilience("frontend", settings, bulkhead, metrics);
    var channel = new PeerChannel(new Plain(), "order", "127.0.0.1:" + port, deadline, resilience);
    opened.add(resilience);
    opened.add(channel);
    connect(channel);
    return channel;
  }

  /// Connects the channel, so that no part of a short deadline is spent on connecting.
  private static void connect(PeerChannel channel) {
    var stub = AuditServiceGrpc.newBlockingStub(channel.withoutCircuitBreaker());
    assertThat(
            catchThrowable(
                () -> stub.withDeadlineAfter(LONG).audit(AuditRequest.getDefaultInstance())))
        .hasMessageStartingWith("UNIMPLEMENTED");
  }

  private static final class Plain implements GrpcChannelFactory {
    @Override
    public boolean supports(String target) {
      return true;
    }

    @Override
    public ManagedChannel createChannel(String target, ChannelBuilderOptions options) {
      return Grpc.newChannelBuilder(target, InsecureChannelCredentials.create())
          .intercept(options.interceptors())
          .build();
    }
  }

  private static OrderServiceGrpc.OrderServiceBlockingStub stub(PeerChannel channel) {
    return OrderServiceGrpc.newBlockingStub(channel.channel());
  }

  private static GetOrderResponse call(PeerChannel channel) {
    var stub = stub(channel);
    return channel.retries().call(() -> stub.getOrder(QUESTION));
  }

  private static CompletionStage<GetOrderResponse> ask(PeerChannel channel) {
    var stub = OrderServiceGrpc.newStub(channel.channel());
    return channel
        .retries()
        .callAsync(() -> UnaryFutures.call(answer -> stub.getOrder(QUESTION, answer)));
  }

  private boolean breakerIs(String state) {
    return metrics
            .get("resilience4j.circuitbreaker.state")
            .tags("name", "order", "state", state)
            .gauge()
            .value()
        == 1;
  }

  private double metric(String name) {
    return metrics.get(name).tag("name", "order").gauge().value();
  }

  private static StatusRuntimeException unavailable() {
    return Status.UNAVAILABLE.withDescription("going away").asRuntimeException();
  }

  private static StatusRuntimeException error(ErrorReason reason) {
    return new RpcError(reason, "prepared error").toException();
  }

  private static ErrorReason reason(ThrowingCallable call) {
    return problem(call).reason();
  }

  private static RpcError problem(ThrowingCallable call) {
    Throwable failure = catchThrowable(call);
    assertThat(failure).isNotNull();
    return RpcError.of(
        (StatusRuntimeException)
            (failure instanceof CompletionException && failure.getCause() != null
                ? failure.getCause()
                : failure));
  }
}
