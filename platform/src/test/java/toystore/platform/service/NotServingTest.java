package toystore.platform.service;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.grpc.Grpc;
import io.grpc.InsecureChannelCredentials;
import io.grpc.InsecureServerCredentials;
import io.grpc.ManagedChannel;
import io.grpc.ManagedChannelBuilder;
import io.grpc.Server;
import io.grpc.ServerInterceptors;
import io.grpc.StatusRuntimeException;
import io.grpc.health.v1.HealthCheckResponse.ServingStatus;
import io.grpc.protobuf.services.HealthStatusManager;
import io.grpc.stub.StreamObserver;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.grpc.client.ChannelBuilderOptions;
import org.springframework.grpc.client.GrpcChannelBuilderCustomizer;
import org.springframework.grpc.client.GrpcChannelFactory;
import toystore.catalog.v1.Sale;
import toystore.clients.Conditions;
import toystore.order.v1.GetOrderRequest;
import toystore.order.v1.GetOrderResponse;
import toystore.order.v1.OrderServiceGrpc;
import toystore.platform.error.ErrorReason;
import toystore.platform.rpc.RpcError;
import toystore.platform.rpc.UnaryFutures;

/// Two processes of a service, of which one loses its database while its callers stay connected.
class NotServingTest {
  private static final GetOrderRequest QUESTION = GetOrderRequest.getDefaultInstance();
  private static final Duration DEADLINE = Duration.ofSeconds(20);

  private final List<AutoCloseable> opened = new ArrayList<>();

  /// A process whose database can be lost. Its answer to a call is the number of the process.
  private final class FakeProcess extends OrderServiceGrpc.OrderServiceImplBase {
    final int number;
    final Server server;
    final CompletableFuture<StreamObserver<GetOrderResponse>> waiting = new CompletableFuture<>();
    volatile boolean silent;
    private final HealthStatusManager health = new HealthStatusManager();
    private volatile @Nullable String notServing;

    FakeProcess(int number) throws IOException {
      this.number = number;
      var context = new AnnotationConfigApplicationContext();
      context.registerBean(
          ServingMonitor.class, () -> new ServingMonitor(() -> notServing, context));
      context.refresh();
      opened.add(context);
      var ready = new ReadyInterceptor(() -> notServing);
      server =
          Grpc.newServerBuilderForPort(0, InsecureServerCredentials.create())
              .directExecutor()
              .addService(ServerInterceptors.intercept(this, ready)) // as Spring does
              .addService(health.getHealthService())
              .build()
              .start();
      opened.add(server::shutdownNow);
      serve(null);
    }

    void serve(@Nullable String reason) {
      notServing = reason;
      health.setStatus(
          "storage", reason == null ? ServingStatus.SERVING : ServingStatus.NOT_SERVING);
    }

    @Override
    public void getOrder(GetOrderRequest request, StreamObserver<GetOrderResponse> answer) {
      if (silent) {
        waiting.complete(answer);
      } else {
        answer(answer);
      }
    }

    void answer(StreamObserver<GetOrderResponse> answer) {
      answer.onNext(response(number));
      answer.onCompleted();
    }
  }

  private static GetOrderResponse response(int number) {
    return GetOrderResponse.newBuilder().setOrder(Sale.newBuilder().setNumber(number)).build();
  }

  @AfterEach
  void close() throws Exception {
    for (AutoCloseable it : opened.reversed()) {
      it.close();
    }
  }

  private PeerChannel open(FakeProcess... processes) {
    var settings = new CallLimits(3, 100, 50, Duration.ofSeconds(1), 1, Duration.ofMillis(1));
    var resilience =
        new PeerResilience(
            "frontend", settings, settings.failFastBulkhead(), new SimpleMeterRegistry());
    String target =
        Stream.of(processes)
            .map(it -> "127.0.0.1:" + it.server.getPort())
            .collect(Collectors.joining(",", processes.length > 1 ? "static://" : "", ""));
    var channel =
        new PeerChannel(
            new GrpcChannelFactory() {
              @Override
              public boolean supports(String address) {
                return true;
              }

              @Override
              @SuppressWarnings({"unchecked", "rawtypes"}) // of the builder's own type
              public ManagedChannel createChannel(String address, ChannelBuilderOptions options) {
                ManagedChannelBuilder builder =
                    Grpc.newChannelBuilder(address, InsecureChannelCredentials.create());
                GrpcChannelBuilderCustomizer customizer = options.customizer();
                customizer.customize(address, builder);
                return builder.intercept(options.interceptors()).build();
              }
            },
            "order",
            target,
            DEADLINE,
            resilience);
    opened.add(resilience);
    opened.add(channel);
    return channel;
  }

  /// The number of the process that answers. All other answers are that nothing was done.
  private static long caller(PeerChannel channel) {
    var stub = OrderServiceGrpc.newBlockingStub(channel.channel());
    var answer = new GetOrderResponse[1];
    StatusRuntimeException refusal =
        catchThrowableOfType(
            StatusRuntimeException.class, () -> answer[0] = stub.getOrder(QUESTION));
    if (refusal == null) {
      return answer[0].getOrder().getNumber();
    }
    assertThat(RpcError.of(refusal).reason()).isEqualTo(ErrorReason.NOT_DONE);
    return -1;
  }

  @Test
  void callersFindTheProcessThatServes() throws Exception {
    var first = new FakeProcess(1);
    var second = new FakeProcess(2);
    second.serve("standby");
    PeerChannel channel = open(first, second);
    Conditions.await(() -> caller(channel) == 1);

    first.serve("not connected: FATAL: database \"Čísla\" does not exist");
    Conditions.await(() -> caller(channel) == -1);
    second.serve(null);
    Conditions.patiently().atMost(Duration.ofSeconds(2)).until(() -> caller(channel) == 2);
  }

  /// It may have been done, so it waits for its own answer.
  @Test
  void callThatWasSentIsAnsweredByItsProcess() throws Exception {
    var first = new FakeProcess(1);
    var second = new FakeProcess(2);
    second.serve("standby");
    PeerChannel channel = open(first, second);
    Conditions.await(() -> caller(channel) == 1);
    first.silent = true;
    var stub = OrderServiceGrpc.newStub(channel.channel());
    var sent =
        UnaryFutures.<GetOrderResponse>call(answer -> stub.getOrder(QUESTION, answer))
            .toCompletableFuture();
    StreamObserver<GetOrderResponse> waiting = first.waiting.join();
    first.serve("the answer to a commit was lost");
    second.serve(null);
    Conditions.await(() -> caller(channel) == 2);
    assertThat(sent).isNotDone();
    first.answer(waiting);
    assertThat(sent).succeedsWithin(DEADLINE).isEqualTo(response(1));
  }

  @Test
  void processThatServesAgainIsCalled() throws Exception {
    var alone = new FakeProcess(1);
    PeerChannel channel = open(alone);
    Conditions.await(() -> caller(channel) == 1);
    alone.serve("no commit for 5 s");
    Conditions.await(() -> caller(channel) == -1);
    alone.serve(null);
    Conditions.patiently().atMost(Duration.ofSeconds(2)).until(() -> caller(channel) == 1);
  }

  @Test
  void eventIsPublishedAgainAfterAListenerFailed() {
    var events = new AtomicInteger();
    try (var _ =
        new ServingMonitor(
            () -> "standby",
            _ -> {
              if (events.incrementAndGet() == 1) {
                throw new IllegalStateException("planned");
              }
            })) {
      Conditions.await(() -> events.get() > 2);
    }
  }
}
