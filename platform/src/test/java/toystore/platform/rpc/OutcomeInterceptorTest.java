package toystore.platform.rpc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.ClientCall;
import io.grpc.ClientInterceptors;
import io.grpc.ClientStreamTracer;
import io.grpc.Context;
import io.grpc.Grpc;
import io.grpc.InsecureChannelCredentials;
import io.grpc.InsecureServerCredentials;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.Server;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.stub.StreamObserver;
import java.io.IOException;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import toystore.order.v1.GetOrderRequest;
import toystore.order.v1.GetOrderResponse;
import toystore.order.v1.OrderServiceGrpc;
import toystore.platform.error.ErrorReason;

@Timeout(20)
class OutcomeInterceptorTest {
  private static final ErrorReason OUT_OF_STOCK = ErrorReason.OUT_OF_STOCK;

  private final CompletableFuture<StreamObserver<GetOrderResponse>> asked =
      new CompletableFuture<>();
  private final List<Server> servers = new ArrayList<>();
  private final List<ManagedChannel> channels = new ArrayList<>();

  @AfterEach
  void close() {
    channels.forEach(ManagedChannel::shutdownNow);
    servers.forEach(Server::shutdownNow);
  }

  @Test
  void callThatWasNeverSentIsNotDone() throws IOException {
    assertThat(failure(stub(closedPort(), Duration.ofSeconds(5))).reason())
        .isEqualTo(ErrorReason.NOT_DONE);
  }

  @Test
  void callThatExceedsItsDeadlineHasUnknownOutcome() throws IOException {
    assertThat(failure(stub(serverPort(), Duration.ofMillis(300))).reason())
        .isEqualTo(ErrorReason.OUTCOME_UNKNOWN);
  }

  @Test
  void callWhosePeerDiesHasUnknownOutcome() throws IOException {
    var stub = stub(serverPort(), Duration.ofSeconds(10));
    asked.thenRunAsync(servers.getFirst()::shutdownNow);
    assertThat(failure(stub).reason()).isEqualTo(ErrorReason.OUTCOME_UNKNOWN);
  }

  @Test
  void connectionThatBreaksDuringSendIsUnavailable() {
    var stub =
        OrderServiceGrpc.newBlockingStub(
            ClientInterceptors.intercept(
                new BreakingChannel(), new OutcomeInterceptor(Duration.ofSeconds(5))));
    var failure = thrown(stub);
    assertThat(RpcError.of(failure))
        .isEqualTo(new RpcError(ErrorReason.OUTCOME_UNKNOWN, "channel closed"));
    assertThat(Retries.isUnavailable(failure)).isTrue();
  }

  @Test
  void failureOfThePeerCountsAsAnswered() throws IOException {
    asked.thenAccept(answer -> answer.onError(new IllegalStateException("a bug")));
    var failure = thrown(stub(serverPort(), Duration.ofSeconds(10)));
    assertThat(failure.getStatus().getCode()).isEqualTo(Status.Code.UNKNOWN);
    assertThat(RpcError.of(failure).reason()).isEqualTo(ErrorReason.INTERNAL_ERROR);
    assertThat(OutcomeInterceptor.isUnanswered(failure.getTrailers())).isFalse();
  }

  @Test
  void errorArrivesUnchanged() throws IOException {
    var sent = new RpcError(OUT_OF_STOCK, "\"Tux\" has 0 left", true);
    asked.thenAccept(answer -> answer.onError(sent.toException()));
    assertThat(failure(stub(serverPort(), Duration.ofSeconds(10)))).isEqualTo(sent);
  }

  @Test
  void forwardedErrorIsUnchanged() throws IOException {
    var sent = new RpcError(ErrorReason.OVERLOADED, "queue full");
    asked.thenAccept(answer -> answer.onError(sent.toException()));
    var stub = OrderServiceGrpc.newStub(stub(serverPort(), Duration.ofSeconds(10)).getChannel());
    var forwarded =
        UnaryFutures.<GetOrderResponse>call(
                answer -> stub.getOrder(GetOrderRequest.getDefaultInstance(), answer))
            .handle((_, failure) -> RpcError.of((StatusRuntimeException) failure));
    assertThat(forwarded.toCompletableFuture().join()).isEqualTo(sent);
  }

  @Test
  void nestedCallEndsBeforeTheCallItServes() throws Exception {
    var stub = stub(serverPort(), Duration.ofMinutes(10));
    try (var clock = Executors.newSingleThreadScheduledExecutor();
        var served = Context.current().withDeadlineAfter(1_000, TimeUnit.MILLISECONDS, clock)) {
      assertThat(served.call(() -> failure(stub)).reason()).isEqualTo(ErrorReason.OUTCOME_UNKNOWN);
      assertThat(served.getDeadline().isExpired()).as("outer deadline has passed").isFalse();
    }
  }

  private RpcError failure(OrderServiceGrpc.OrderServiceBlockingStub stub) {
    return RpcError.of(thrown(stub));
  }

  private static StatusRuntimeException thrown(OrderServiceGrpc.OrderServiceBlockingStub stub) {
    return catchThrowableOfType(
        StatusRuntimeException.class, () -> stub.getOrder(GetOrderRequest.getDefaultInstance()));
  }

  /// A channel that breaks after the headers of the request are written. It reports the same status
  /// as Netty's channel.
  private static final class BreakingChannel extends Channel {
    @Override
    public <Q, A> ClientCall<Q, A> newCall(MethodDescriptor<Q, A> method, CallOptions options) {
      return new ClientCall<>() {
        @Override
        public void start(Listener<A> listener, Metadata headers) {
          options
              .getStreamTracerFactories()
              .forEach(it ->
                  it.newClientStreamTracer(
                          ClientStreamTracer.StreamInfo.newBuilder().build(), headers)
                      .outboundHeaders());
          listener.onClose(Status.UNKNOWN.withDescription("channel closed"), new Metadata());
        }

        @Override
        public void request(int messages) {}

        @Override
        public void cancel(@Nullable String message, @Nullable Throwable cause) {}

        @Override
        public void halfClose() {}

        @Override
        public void sendMessage(Q message) {}
      };
    }

    @Override
    public String authority() {
      return "nowhere";
    }
  }

  private OrderServiceGrpc.OrderServiceBlockingStub stub(int port, Duration deadline) {
    var channel =
        Grpc.newChannelBuilder("127.0.0.1:" + port, InsecureChannelCredentials.create()).build();
    channels.add(channel);
    return OrderServiceGrpc.newBlockingStub(
        ClientInterceptors.intercept(channel, new OutcomeInterceptor(deadline)));
  }

  /// Starts a server that passes each call to `asked`, where the test answers it.
  private int serverPort() throws IOException {
    var server =
        Grpc.newServerBuilderForPort(0, InsecureServerCredentials.create())
            .addService(
                new OrderServiceGrpc.OrderServiceImplBase() {
                  @Override
                  public void getOrder(
                      GetOrderRequest request, StreamObserver<GetOrderResponse> answer) {
                    asked.complete(answer);
                  }
                })
            .build()
            .start();
    servers.add(server);
    return server.getPort();
  }

  private static int closedPort() throws IOException {
    try (var socket = new ServerSocket(0)) {
      return socket.getLocalPort();
    }
  }
}
