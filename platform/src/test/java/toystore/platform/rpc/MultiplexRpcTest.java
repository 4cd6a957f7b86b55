package toystore.platform.rpc;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;
import static toystore.clients.Conditions.await;

import com.google.protobuf.ByteString;
import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.ClientCall;
import io.grpc.ClientInterceptor;
import io.grpc.ClientInterceptors;
import io.grpc.Context;
import io.grpc.Grpc;
import io.grpc.InsecureChannelCredentials;
import io.grpc.InsecureServerCredentials;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.Server;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import io.grpc.ServerInterceptors;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.stub.MetadataUtils;
import io.grpc.stub.StreamObserver;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Collectors;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import toystore.catalog.v1.Sale;
import toystore.catalog.v1.SaleLine;
import toystore.multiplex.v1.Call;
import toystore.multiplex.v1.ConnectRequest;
import toystore.multiplex.v1.ConnectResponse;
import toystore.multiplex.v1.MultiplexServiceGrpc;
import toystore.order.v1.CartServiceGrpc;
import toystore.order.v1.GetOrderRequest;
import toystore.order.v1.GetOrderResponse;
import toystore.order.v1.OrderServiceGrpc;
import toystore.platform.error.ErrorReason;

/// Tests calls over one stream, with a real server. `PeerChannelTest` has the tests that hold for
/// unary calls, too.
class MultiplexRpcTest {
  private static final String GET_ORDER = OrderServiceGrpc.getGetOrderMethod().getFullMethodName();
  private static final long LARGE =
      1L << 40; // the response to this number and those above is large
  private static final Duration LONG = Duration.ofSeconds(20);
  private static final Duration SHORT = Duration.ofMillis(200);

  private final HeldOrders orders = new HeldOrders();
  private final MultiplexRpc streams = new MultiplexRpc();
  private final ScheduledExecutorService scheduler = Executors.newSingleThreadScheduledExecutor();
  private final List<ManagedChannel> channels = new ArrayList<>();
  private final Map<String, AtomicInteger> opened = new ConcurrentHashMap<>();
  private Server server;

  /// Answers with the requested number. Negative numbers are held until the test answers them.
  private static final class HeldOrders extends OrderServiceGrpc.OrderServiceImplBase {
    final Map<Long, StreamObserver<GetOrderResponse>> held = new ConcurrentHashMap<>();
    final Map<Long, Context> contexts = new ConcurrentHashMap<>();

    @Override
    public void getOrder(GetOrderRequest request, StreamObserver<GetOrderResponse> answer) {
      long number = request.getNumber();
      if (number < 0) {
        contexts.put(number, Context.current());
        held.put(number, answer);
      } else {
        answer(answer, number);
      }
    }

    boolean isCancelled(long number) {
      return requireNonNull(contexts.get(number)).isCancelled();
    }

    void release(long number) {
      answer(requireNonNull(held.remove(number)), number);
    }

    private static void answer(StreamObserver<GetOrderResponse> to, long number) {
      to.onNext(response(number));
      to.onCompleted();
    }
  }

  @BeforeEach
  void start() throws IOException {
    server = server(streams);
    streams.offer(server);
  }

  private Server server(MultiplexRpc rpc) throws IOException {
    return Grpc.newServerBuilderForPort(0, InsecureServerCredentials.create())
        .directExecutor()
        .addStreamTracerFactory(new RequestBytesLimiter(1 << 20))
        .addService(orders)
        .addService(rpc)
        .build()
        .start();
  }

  @AfterEach
  void stop() {
    channels.forEach(ManagedChannel::shutdownNow);
    server.shutdownNow();
    scheduler.shutdownNow();
  }

  @Test
  void slowCallDoesNotDelayOthersOfItsStream() throws Exception {
    Channel channel = open(LONG);
    var slow = OrderServiceGrpc.newFutureStub(channel).getOrder(request(-1));
    await(() -> orders.held.containsKey(-1L));
    assertThat(get(channel, 2)).isEqualTo(response(2));
    assertThat(slow.isDone()).isFalse();
    orders.release(-1);
    assertThat(slow.get()).isEqualTo(response(-1));
    assertThat(opened()).isEqualTo(Map.of("Connect", 1));
  }

  @Test
  void callsOfManyThreadsGetTheirOwnAnswers() throws Exception {
    Channel channel = open(LONG);
    long seed = System.nanoTime();
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Future<Integer>> callers = new ArrayList<>();
      for (int i = 0; i < 100; i++) {
        var random = new SplittableRandom(seed + i);
        callers.add(
            threads.submit(() -> {
              int wrong = 0;
              for (int k = 0; k < 200; k++) {
                long number = random.nextLong(1L << 40);
                wrong += get(channel, number).equals(response(number)) ? 0 : 1;
              }
              return wrong;
            }));
      }
      for (Future<Integer> caller : callers) {
        assertThat(caller.get()).as("seed %d", seed).isZero();
      }
    }
    assertThat(opened()).isEqualTo(Map.of("Connect", 1));
  }

  @Test
  void callMadeWhileServingACallUsesItsStreamAndDeadline() throws Exception {
    Channel back = open(LONG);
    Server front = forwardingServer(back);
    Channel channel = open(front.getPort(), LONG);
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Future<Boolean>> callers = new ArrayList<>();
      for (int i = 0; i < 64; i++) {
        long number = i;
        callers.add(
            threads.submit(() -> {
              for (int k = 0; k < 100; k++) {
                assertThat(get(channel, number * 100 + k)).isEqualTo(response(number * 100 + k));
              }
              return true;
            }));
      }
      for (Future<Boolean> caller : callers) {
        assertThat(caller.get()).isTrue();
      }
    } finally {
      front.shutdownNow();
    }
  }

  /// A server that asks another one, without waiting, as the order service asks the catalog.
  private Server forwardingServer(Channel back) throws IOException {
    var stub = OrderServiceGrpc.newStub(back);
    var rpc = new MultiplexRpc();
    Server front =
        Grpc.newServerBuilderForPort(0, InsecureServerCredentials.create())
            .directExecutor()
            .addService(
                new OrderServiceGrpc.OrderServiceImplBase() {
                  @Override
                  public void getOrder(
                      GetOrderRequest request, StreamObserver<GetOrderResponse> answer) {
                    UnaryResponses.send(
                        answer, () -> UnaryFutures.call(to -> stub.getOrder(request, to)));
                  }
                })
            .addService(rpc)
            .build()
            .start();
    rpc.offer(front);
    return front;
  }

  @Test
  void streamCarriesMoreBytesThanTheServerAcceptsAtOnce() {
    Channel channel = open(LONG);
    var metadata = new Metadata();
    metadata.put(Metadata.Key.of("filler", Metadata.ASCII_STRING_MARSHALLER), "x".repeat(10_000));
    Channel filled =
        ClientInterceptors.intercept(channel, MetadataUtils.newAttachHeadersInterceptor(metadata));
    for (int i = 0; i < 300; i++) { // 3 MB
      assertThat(get(filled, i)).isEqualTo(response(i));
    }
    assertThat(opened()).isEqualTo(Map.of("Connect", 1));
  }

  @Test
  void peerIsToldThatTheDeadlinePassed() {
    Channel channel = open(SHORT);
    await(() -> catchThrowable(() -> get(channel, 1)) == null); // connected
    assertThat(error(() -> get(channel, -1))).isEqualTo(ErrorReason.OUTCOME_UNKNOWN);
    await(() -> orders.isCancelled(-1));
    orders.release(-1); // nobody waits for this answer
    assertThat(get(channel, 2)).isEqualTo(response(2));
  }

  @Test
  void peerIsToldThatTheCallWasCancelled() {
    Channel channel = open(LONG);
    var call = OrderServiceGrpc.newFutureStub(channel).getOrder(request(-1));
    await(() -> orders.held.containsKey(-1L));
    call.cancel(true);
    await(() -> orders.isCancelled(-1));
  }

  @Test
  void callEndsWithTheContextOfItsCaller() {
    Channel channel = open(LONG);
    var caller = Context.current().withCancellation();
    var call = new AtomicReference<Future<GetOrderResponse>>();
    caller.run(() -> call.set(OrderServiceGrpc.newFutureStub(channel).getOrder(request(-1))));
    await(() -> orders.held.containsKey(-1L));
    caller.cancel(new IllegalStateException("caller left"));
    assertThat(catchThrowable(call.get()::get)).hasMessageContaining("CANCELLED");
    await(() -> orders.isCancelled(-1));
  }

  @Test
  void sentCallIsUnknownWhenTheStreamBreaks() throws IOException {
    Channel channel = open(LONG);
    var sent = OrderServiceGrpc.newFutureStub(channel).getOrder(request(-1));
    await(() -> orders.held.containsKey(-1L));
    server.shutdownNow();
    assertThat(error(sent::get)).isEqualTo(ErrorReason.OUTCOME_UNKNOWN);
    await(() -> orders.isCancelled(-1));
    assertThat(error(() -> get(channel, 2))).isEqualTo(ErrorReason.NOT_DONE);
  }

  @Test
  void queuedCallIsNotDoneWhenThePeerAcceptsNoBytes() throws IOException {
    try (var mute = new ServerSocket(0, 10, InetAddress.getLoopbackAddress())) {
      Channel channel = open(mute.getLocalPort(), SHORT);
      assertThat(error(() -> get(channel, 1))).isEqualTo(ErrorReason.NOT_DONE);
    }
  }

  @Test
  void callsContinueOnAnotherStreamAfterABreak() throws IOException {
    Channel channel = open(LONG);
    assertThat(get(channel, 1)).isEqualTo(response(1));
    int port = server.getPort();
    server.shutdownNow();
    await(server::isTerminated);
    server =
        Grpc.newServerBuilderForPort(port, InsecureServerCredentials.create())
            .addService(orders)
            .addService(streams)
            .build()
            .start();
    streams.offer(server);
    await(() -> {
      channels.forEach(ManagedChannel::resetConnectBackoff);
      return catchThrowable(() -> get(channel, 2)) == null;
    });
  }

  @Test
  void serverThatStopsAnswersTheCallsThatItHas() throws Exception {
    Channel channel = open(LONG);
    var first = OrderServiceGrpc.newFutureStub(channel).getOrder(request(-1));
    await(() -> orders.held.containsKey(-1L));
    streams.drain();
    server.shutdown();
    await(() ->
        catchThrowable(() -> get(channel, 2)) instanceof StatusRuntimeException failure
            && RpcError.of(failure).reason() == ErrorReason.NOT_DONE);
    orders.release(-1);
    assertThat(first.get()).isEqualTo(response(-1));
    await(server::isTerminated);
  }

  @Test
  void callsToAServerThatIsAboutToStopAreAnswered() {
    Channel channel = open(LONG);
    assertThat(get(channel, 1)).isEqualTo(response(1));
    streams.drain();
    for (int i = 0; i < 100; i++) {
      assertThat(get(channel, i)).isEqualTo(response(i));
    }
    assertThat(opened().get("Connect")).isGreaterThan(1);
  }

  /// A call that is passed on may be cancelled between its new stream and its new id.
  @Test
  void cancelledCallDoesNotEndTheCallThatHasItsIdInAnotherStream() throws Exception {
    var peer = new FakePeer();
    var interceptor = new MultiplexInterceptor(scheduler);
    var call =
        OrderServiceGrpc.newFutureStub(ClientInterceptors.intercept(peer, interceptor))
            .getOrder(request(1));
    var stream = peer.streams.element();
    var passedOn =
        new MultiplexedCall<>(
            interceptor, OrderServiceGrpc.getGetOrderMethod(), CallOptions.DEFAULT, peer);
    passedOn.isQueuedAt((MultiplexedStream) requireNonNull(stream.listener), 1);
    passedOn.cancel("cancelled", null);
    FakePeer.answer(stream);
    assertThat(call.get(20, TimeUnit.SECONDS)).isEqualTo(response(1));
  }

  @Test
  void peerWithoutStreamsGetsUnaryCalls() throws IOException {
    server.shutdownNow();
    server = server(new MultiplexRpc());
    Channel channel = open(LONG);
    assertThat(get(channel, 1)).isEqualTo(response(1));
    assertThat(get(channel, 2)).isEqualTo(response(2));
    assertThat(opened()).isEqualTo(Map.of("Connect", 1, "GetOrder", 2));
  }

  @Test
  void noCallFailsBecauseItsStreamIsRefused() throws Exception {
    server.shutdownNow();
    server = server(new MultiplexRpc());
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Future<GetOrderResponse>> calls = new ArrayList<>();
      for (int i = 0; i < 20; i++) {
        Channel channel = open(LONG);
        for (int k = 0; k < 20; k++) {
          calls.add(threads.submit(() -> get(channel, 1)));
        }
      }
      for (Future<GetOrderResponse> call : calls) {
        assertThat(call.get()).isEqualTo(response(1));
      }
    }
  }

  @Test
  void callerBeyondTheLimitOfStreamsMakesUnaryCalls() {
    List<Channel> callers = new ArrayList<>();
    for (int i = 0; i < 17; i++) {
      callers.add(open(LONG));
      assertThat(get(callers.getLast(), i)).isEqualTo(response(i));
    }
    assertThat(opened()).isEqualTo(Map.of("Connect", 17, "GetOrder", 1));
  }

  @Test
  void methodThatIsNotOfferedOverTheStreamIsCalledWithoutIt() throws Exception {
    streams.offer(
        Grpc.newServerBuilderForPort(0, InsecureServerCredentials.create())
            .addService(new CartServiceGrpc.CartServiceImplBase() {})
            .build());
    Channel channel = open(LONG);
    assertThat(get(channel, 1)).isEqualTo(response(1));
    assertThat(opened()).isEqualTo(Map.of("Connect", 1, "GetOrder", 1));
  }

  @Test
  void largeResponsesAreNotOneMessage() {
    var results = new ArrayList<ConnectResponse>();
    var stream = connect(results);
    var calls = ConnectRequest.newBuilder();
    for (int i = 0; i < 20; i++) {
      calls.addCalls(call(i, GET_ORDER, request(LARGE + i).toByteString()));
    }
    stream.onNext(calls.build());
    await(() -> statuses(results).size() == 20);
    assertThat(results).allMatch(it -> it.getSerializedSize() < 1 << 20);
    stream.onCompleted();
  }

  @Test
  void callOfAMethodThatIsNotOfferedIsRefused() {
    var results = new ArrayList<ConnectResponse>();
    var stream = connect(results);
    stream.onNext(
        ConnectRequest.newBuilder()
            .addCalls(call(7, "toystore.order.v1.OrderService/Unknown", ByteString.EMPTY))
            .addCalls(call(8, GET_ORDER, ByteString.copyFromUtf8("no message")))
            .addCalls(call(9, GET_ORDER, request(9).toByteString()))
            .build());
    await(() -> statuses(results).size() == 3);
    assertThat(statuses(results))
        .isEqualTo(
            Map.of(
                7L, Status.Code.UNIMPLEMENTED.value(),
                8L, Status.Code.INTERNAL.value(),
                9L, Status.Code.OK.value()));
    stream.onCompleted();
  }

  @Test
  void callsBeyondTheLimitOfAStreamWaitUnread() {
    var results = new ArrayList<ConnectResponse>();
    var stream = connect(results);
    for (int i = 1; i <= 300; i++) {
      stream.onNext(
          ConnectRequest.newBuilder()
              .addCalls(call(i, GET_ORDER, request(-i).toByteString()))
              .build());
    }
    await(() -> orders.held.size() == 256);
    assertThat(orders.held).doesNotContainKey(-300L);
    for (int i = 1; i <= 300; i++) {
      long number = -i;
      await(() -> orders.held.containsKey(number));
      orders.release(number);
    }
    await(() -> statuses(results).size() == 300);
    stream.onCompleted();
  }

  @Test
  void interceptorsOfTheServerSeeEachCallWithItsMetadata() throws IOException {
    server.shutdownNow();
    var key = Metadata.Key.of("note", Metadata.ASCII_STRING_MARSHALLER);
    var bytes = Metadata.Key.of("note-bin", Metadata.BINARY_BYTE_MARSHALLER);
    List<String> seen = new ArrayList<>();
    server =
        Grpc.newServerBuilderForPort(0, InsecureServerCredentials.create())
            .addService(
                ServerInterceptors.intercept(
                    orders,
                    new ServerInterceptor() {
                      @Override
                      public <Q, A> ServerCall.Listener<Q> interceptCall(
                          ServerCall<Q, A> call, Metadata headers, ServerCallHandler<Q, A> next) {
                        seen.add(headers.get(key) + requireNonNull(headers.get(bytes)).length);
                        return next.startCall(call, headers);
                      }
                    }))
            .addService(streams)
            .build()
            .start();
    streams.offer(server);
    var metadata = new Metadata();
    metadata.put(key, "abc");
    metadata.put(bytes, new byte[] {0, -1, 7});
    Channel channel =
        ClientInterceptors.intercept(
            open(LONG), MetadataUtils.newAttachHeadersInterceptor(metadata));
    get(channel, 1);
    get(channel, 2);
    assertThat(seen).containsExactly("abc3", "abc3");
  }

  private Map<String, Integer> opened() {
    return opened.entrySet().stream()
        .collect(Collectors.toMap(Map.Entry::getKey, it -> it.getValue().get()));
  }

  private StreamObserver<ConnectRequest> connect(List<ConnectResponse> results) {
    open(LONG);
    return MultiplexServiceGrpc.newStub(channels.getLast())
        .connect(
            new StreamObserver<>() {
              @Override
              public void onNext(ConnectResponse response) {
                synchronized (results) {
                  results.add(response);
                }
              }

              @Override
              public void onError(Throwable failure) {}

              @Override
              public void onCompleted() {}
            });
  }

  private static Map<Long, Integer> statuses(List<ConnectResponse> responses) {
    Map<Long, Integer> statuses = new ConcurrentHashMap<>();
    synchronized (responses) {
      responses.forEach(it ->
          it.getResultsList().forEach(result -> statuses.put(result.getId(), result.getStatus())));
    }
    return statuses;
  }

  private static Call call(long id, String method, ByteString message) {
    return Call.newBuilder().setId(id).setMethod(method).setMessage(message).build();
  }

  private Channel open(Duration deadline) {
    return open(server.getPort(), deadline);
  }

  private Channel open(int port, Duration deadline) {
    ManagedChannel channel =
        Grpc.newChannelBuilderForAddress("127.0.0.1", port, InsecureChannelCredentials.create())
            .directExecutor()
            .intercept(List.of(counter(), new MultiplexInterceptor(scheduler)))
            .build();
    channels.add(channel);
    return ClientInterceptors.intercept(channel, new OutcomeInterceptor(deadline));
  }

  /// Counts the calls of each method that reach the transport.
  private ClientInterceptor counter() {
    return new ClientInterceptor() {
      @Override
      public <Q, A> ClientCall<Q, A> interceptCall(
          MethodDescriptor<Q, A> method, CallOptions options, Channel next) {
        opened
            .computeIfAbsent(String.valueOf(method.getBareMethodName()), _ -> new AtomicInteger())
            .incrementAndGet();
        return next.newCall(method, options);
      }
    };
  }

  private static GetOrderRequest request(long number) {
    return GetOrderRequest.newBuilder().setNumber(number).build();
  }

  private static GetOrderResponse response(long number) {
    var order = Sale.newBuilder().setNumber(number);
    if (number >= LARGE) {
      order.addLines(SaleLine.newBuilder().setName("x".repeat(200_000)));
    }
    return GetOrderResponse.newBuilder().setOrder(order).build();
  }

  private static GetOrderResponse get(Channel channel, long number) {
    return OrderServiceGrpc.newBlockingStub(channel).getOrder(request(number));
  }

  private static ErrorReason error(ThrowingCallable call) {
    Throwable failure = catchThrowable(call);
    assertThat(failure).isNotNull();
    Throwable error =
        failure instanceof StatusRuntimeException ? failure : requireNonNull(failure.getCause());
    return RpcError.of((StatusRuntimeException) error).reason();
  }
}
