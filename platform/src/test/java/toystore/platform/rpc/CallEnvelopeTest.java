package toystore.platform.rpc;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.google.protobuf.Timestamp;
import io.grpc.Channel;
import io.grpc.Grpc;
import io.grpc.InsecureServerCredentials;
import io.grpc.ManagedChannel;
import io.grpc.ManagedChannelBuilder;
import io.grpc.Metadata;
import io.grpc.Server;
import io.grpc.ServerInterceptors;
import io.grpc.StatusRuntimeException;
import io.grpc.stub.MetadataUtils;
import io.grpc.stub.StreamObserver;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import toystore.common.v1.IdempotencyKey;
import toystore.common.v1.RequestEnvelope;
import toystore.order.v1.OrderServiceGrpc;
import toystore.order.v1.PlaceOrderRequest;
import toystore.order.v1.PlaceOrderResponse;
import toystore.platform.error.ErrorReason;
import toystore.platform.journal.RequestKey;

/// The envelope of a call from its client to its server, and back.
class CallEnvelopeTest {
  private static final RequestKey KEY = new RequestKey("POST /products/Žirafa 🦒", "k~ 1", true);
  private static final Instant TIME = Instant.ofEpochSecond(1_800_000_000, 123_456_789);
  private static final CallEnvelope NONE = new CallEnvelope(null, null);

  private final Orders orders = new Orders();
  private final List<ManagedChannel> channels = new ArrayList<>();
  private final List<Server> servers = new ArrayList<>();

  /// Keeps the envelope of the last call.
  private static final class Orders extends OrderServiceGrpc.OrderServiceImplBase {
    volatile @Nullable CallEnvelope received;
    volatile boolean known;

    @Override
    public void placeOrder(PlaceOrderRequest request, StreamObserver<PlaceOrderResponse> answer) {
      CallEnvelope envelope = CallEnvelope.current();
      received = envelope;
      if (known) {
        envelope.markReplayed();
      }
      if (request.getAsList()) {
        answer.onError(new RpcError(ErrorReason.OUT_OF_STOCK, "none left", known).toException());
      } else {
        answer.onNext(PlaceOrderResponse.newBuilder().setNumber(7).build());
        answer.onCompleted();
      }
    }
  }

  @AfterEach
  void stop() {
    channels.forEach(ManagedChannel::shutdownNow);
    servers.forEach(Server::shutdownNow);
  }

  @Test
  void keyAndTimeArriveAndTheAnswerSaysWhetherItIsReplayed() throws IOException {
    Channel channel = open();
    for (boolean known : List.of(false, true)) {
      orders.known = known;
      var envelope = new CallEnvelope(KEY, TIME);
      assertThat(place(channel, envelope)).isEqualTo(7);
      assertThat(received().key()).isEqualTo(KEY);
      assertThat(received().decideBy()).isEqualTo(TIME);
      assertThat(received().isRepeatable()).isTrue();
      assertThat(envelope.replayed()).isEqualTo(known);
    }
  }

  @Test
  void callWithoutEnvelopeHasAnEmptyOneOfItsOwn() throws IOException {
    Channel channel = open();
    place(channel, new CallEnvelope(KEY, TIME));
    place(channel, NONE);
    assertThat(received().decideBy()).isNull();
    assertThat(received().isRepeatable()).isFalse();
    assertThat(catchThrowableOfType(IllegalArgumentException.class, received()::key))
        .hasMessageStartingWith("the call must have an idempotency key");
    place(channel, new CallEnvelope(null, TIME));
    assertThat(received().decideBy()).isEqualTo(TIME);
  }

  @Test
  void refusalSaysInItsDetailsOnlyThatItIsReplayed() throws IOException {
    orders.known = true;
    var envelope = new CallEnvelope(KEY, null);
    var request = PlaceOrderRequest.newBuilder().setAsList(true).build();
    var stub = OrderServiceGrpc.newBlockingStub(open()).withInterceptors(envelope);
    var refusal =
        catchThrowableOfType(StatusRuntimeException.class, () -> stub.placeOrder(request));
    assertThat(RpcError.of(requireNonNull(refusal)))
        .isEqualTo(new RpcError(ErrorReason.OUT_OF_STOCK, "none left", true));
    assertThat(envelope.replayed()).isFalse();
  }

  @Test
  void invalidEnvelopeIsRefusedBeforeTheCallBegins() throws IOException {
    Channel channel = open();
    assertThat(
            Stream.of(
                    RequestEnvelope.newBuilder().setDecideBy(at(0, 1_000_000_000)),
                    RequestEnvelope.newBuilder().setDecideBy(at(Long.MAX_VALUE, 0)),
                    RequestEnvelope.newBuilder().setKey(IdempotencyKey.getDefaultInstance()),
                    RequestEnvelope.newBuilder()
                        .setKey(IdempotencyKey.newBuilder().setScope("a\nb").setValue("k")))
                .map(it -> refusal(channel, it.build().toByteArray())))
        .satisfiesExactly(
            it -> assertThat(it).startsWith("INVALID decide_by must be a valid timestamp"),
            it -> assertThat(it).startsWith("INVALID decide_by must be a valid timestamp"),
            it ->
                assertThat(it)
                    .isEqualTo(
                        "INVALID key.value must have 1 to 255 printable ASCII characters, got 0 characters"),
            it -> assertThat(it).startsWith("INVALID key.scope must have at most 1024 characters"));
    assertThat(refusal(channel, new byte[] {-1})).startsWith("INVALID ");
    assertThat(orders.received).isNull();
  }

  /// As the order service does: the catalog gets the customer's key, and its answer is the order's.
  @Test
  void receivedEnvelopeCanBePassedOn() throws IOException {
    Channel back = open();
    orders.known = true;
    var forwarding =
        new OrderServiceGrpc.OrderServiceImplBase() {
          @Override
          public void placeOrder(
              PlaceOrderRequest order, StreamObserver<PlaceOrderResponse> answer) {
            OrderServiceGrpc.newStub(back)
                .withInterceptors(CallEnvelope.current())
                .placeOrder(order, answer);
          }
        };
    var envelope = new CallEnvelope(KEY, TIME);
    place(connect(serve(forwarding)), envelope);
    assertThat(received().key()).isEqualTo(KEY);
    assertThat(received().decideBy()).isEqualTo(TIME);
    assertThat(envelope.replayed()).isTrue();
  }

  private CallEnvelope received() {
    return requireNonNull(orders.received);
  }

  private static long place(Channel channel, CallEnvelope envelope) {
    return OrderServiceGrpc.newBlockingStub(channel)
        .withInterceptors(envelope)
        .placeOrder(PlaceOrderRequest.getDefaultInstance())
        .getNumber();
  }

  private static String refusal(Channel channel, byte[] envelope) {
    var metadata = new Metadata();
    metadata.put(
        Metadata.Key.of("toystore-envelope-bin", Metadata.BINARY_BYTE_MARSHALLER), envelope);
    var stub =
        OrderServiceGrpc.newBlockingStub(channel)
            .withInterceptors(MetadataUtils.newAttachHeadersInterceptor(metadata));
    var refusal =
        catchThrowableOfType(
            StatusRuntimeException.class,
            () -> stub.placeOrder(PlaceOrderRequest.getDefaultInstance()));
    RpcError error = RpcError.of(requireNonNull(refusal));
    return error.reason() + " " + error.message();
  }

  private static Timestamp at(long seconds, int nanos) {
    return Timestamp.newBuilder().setSeconds(seconds).setNanos(nanos).build();
  }

  private Channel open() throws IOException {
    return connect(serve(orders));
  }

  private Server serve(OrderServiceGrpc.OrderServiceImplBase service) throws IOException {
    Server server =
        Grpc.newServerBuilderForPort(0, InsecureServerCredentials.create())
            .directExecutor()
            .addService(
                ServerInterceptors.intercept(service, new EnvelopeInterceptor())) // as Spring does
            .build()
            .start();
    servers.add(server);
    return server;
  }

  private Channel connect(Server server) {
    channels.add(
        ManagedChannelBuilder.forAddress("127.0.0.1", server.getPort()).usePlaintext().build());
    return channels.getLast();
  }
}
