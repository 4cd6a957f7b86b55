package toystore.catalog.rpc;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static toystore.clients.Conditions.await;

import io.grpc.ManagedChannel;
import io.grpc.Server;
import io.grpc.Status;
import io.grpc.inprocess.InProcessChannelBuilder;
import io.grpc.inprocess.InProcessServerBuilder;
import io.grpc.stub.ClientCallStreamObserver;
import io.grpc.stub.ClientResponseObserver;
import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.StreamObserver;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import toystore.catalog.domain.Catalog;
import toystore.catalog.domain.Items;
import toystore.catalog.domain.Product;
import toystore.catalog.v1.CatalogServiceGrpc;
import toystore.catalog.v1.WatchRequest;
import toystore.catalog.v1.WatchResponse;

/// Watches over gRPC's in-process transport, in which a caller is ready as long as it has requested
/// an answer.
class CatalogWatchTest {
  private static final int ALL = Integer.MAX_VALUE;

  private final Catalog catalog = new Catalog(new Items(1, 1));
  private final Set<CatalogWatchRpc> watches = ConcurrentHashMap.newKeySet();
  private @Nullable CatalogWatchesRpc all; // begins the watches if a test sets it
  private long nanos;
  private Server server;
  private ManagedChannel channel;

  @BeforeEach
  void start() throws IOException {
    String name = InProcessServerBuilder.generateName();
    var rpc =
        new CatalogServiceGrpc.CatalogServiceImplBase() {
          @Override
          public void watch(WatchRequest request, StreamObserver<WatchResponse> answer) {
            var call = (ServerCallStreamObserver<WatchResponse>) answer;
            if (all != null) {
              all.begin(call);
              return;
            }
            var watch =
                new CatalogWatchRpc(catalog, call, Runnable::run, () -> nanos, watches::remove);
            watches.add(watch);
            watch.begin();
          }
        };
    server = InProcessServerBuilder.forName(name).directExecutor().addService(rpc).build().start();
    channel = InProcessChannelBuilder.forName(name).directExecutor().build();
  }

  @AfterEach
  void stop() {
    channel.shutdownNow();
    server.shutdownNow();
  }

  private record Answer(long number, Set<String> names) {}

  private static Answer answer(long number, String... names) {
    return new Answer(number, Set.of(names));
  }

  private final class Caller implements ClientResponseObserver<WatchRequest, WatchResponse> {
    private final int requested;
    private final List<Answer> answers = new ArrayList<>();
    private @Nullable Product tux; // read after the last answer
    private @Nullable ClientCallStreamObserver<WatchRequest> call;
    private Status.@Nullable Code end;

    /// @param requested number of answers that it takes
    Caller(int requested) {
      this.requested = requested;
      CatalogServiceGrpc.newStub(channel).watch(WatchRequest.getDefaultInstance(), this);
    }

    @Override
    public void beforeStart(ClientCallStreamObserver<WatchRequest> started) {
      call = started;
      started.disableAutoRequestWithInitial(requested);
    }

    void request(int more) {
      requireNonNull(call).request(more);
    }

    synchronized int count() {
      return answers.size();
    }

    void cancel() {
      requireNonNull(call).cancel("done", null);
    }

    @Override
    public synchronized void onNext(WatchResponse next) {
      answers.add(new Answer(next.getNumber(), new TreeSet<>(next.getNamesList())));
      tux = catalog.find("Tux");
    }

    @Override
    public void onError(Throwable failure) {
      end = Status.fromThrowable(failure).getCode();
    }

    @Override
    public void onCompleted() {
      throw new IllegalStateException("a watch has no end");
    }
  }

  private void publish(String... names) {
    Map<String, Optional<Product>> products = new HashMap<>();
    for (String name : names) {
      products.put(name, Optional.of(product(name)));
    }
    catalog.publish(products);
  }

  private static Product product(String name) {
    return product(name, 5);
  }

  private static Product product(String name, long quantity) {
    return new Product(1 + name.hashCode(), null, name, "", 100, quantity, 0, null, false);
  }

  @Test
  void watchGetsEachCommitAfterItsBegin() {
    publish("Tux");
    var caller = new Caller(ALL);
    publish("Whale", "Bird");
    catalog.publish("Tux", null);
    assertThat(caller.answers)
        .containsExactly(answer(0), answer(1, "Whale", "Bird"), answer(2, "Tux"));
  }

  @Test
  void eventComesAfterItsProducts() {
    List<String> seen = new ArrayList<>();
    catalog.add(names -> names.forEach(name -> seen.add(name + ": " + catalog.find(name))));
    publish("Tux");
    catalog.publish("Tux", null);
    assertThat(seen).containsExactly("Tux: " + product("Tux"), "Tux: null");
  }

  @Test
  void slowCallerGetsOneAnswerForAllCommitsItMissed() {
    var caller = new Caller(1);
    publish("Tux", "Bird");
    publish("Tux");
    publish("Whale");
    assertThat(caller.answers).containsExactly(answer(0));
    caller.request(1);
    assertThat(caller.answers).containsExactly(answer(0), answer(1, "Tux", "Bird", "Whale"));
  }

  @Test
  void heartbeatHasNoNames() {
    var caller = new Caller(ALL);
    publish("Tux");
    watches.forEach(CatalogWatchRpc::heartbeat);
    assertThat(caller.answers).containsExactly(answer(0), answer(1, "Tux"), answer(2));
  }

  @Test
  void heartbeatDoesNotOvertakeAnEvent() {
    var caller = new Caller(1);
    publish("Tux");
    watches.forEach(CatalogWatchRpc::heartbeat);
    caller.request(1);
    assertThat(caller.answers).containsExactly(answer(0), answer(1, "Tux"));
  }

  /// Before its watches end, as after it was stopped and continued.
  @Test
  void processThatDoesNotServeSendsNoHeartbeat() {
    var asked = new AtomicInteger();
    var reason = new AtomicReference<@Nullable String>();
    try (var watching =
        new CatalogWatchesRpc(
            catalog,
            () -> {
              asked.incrementAndGet();
              return reason.get();
            })) {
      all = watching;
      var caller = new Caller(ALL);
      await(() -> caller.count() > 2);
      reason.set("no commit for 7 s");
      int before = asked.get();
      await(() -> asked.get() > before + 1); // the last heartbeat was sent
      int count = caller.count();
      await(() -> asked.get() > before + 3);
      assertThat(caller.count()).isEqualTo(count);
    }
  }

  @Test
  void callerThatTakesNothingForTooLongIsDisconnected() {
    var caller = new Caller(1);
    nanos += CatalogWatchRpc.MAX_STALL.toNanos();
    watches.forEach(CatalogWatchRpc::heartbeat);
    assertThat(caller.end).isNull();
    nanos += 1;
    watches.forEach(CatalogWatchRpc::heartbeat);
    assertThat(watches).isEmpty();
    caller.request(1);
    assertThat(caller.end).isEqualTo(Status.Code.RESOURCE_EXHAUSTED);
    publish("Tux");
    assertThat(caller.answers).containsExactly(answer(0));
  }

  @Test
  void callerThatMissesTooManyNamesIsDisconnected() {
    var caller = new Caller(1);
    String[] many = new String[CatalogWatchRpc.MAX_NAMES + 1];
    for (int i = 0; i < many.length; i++) {
      many[i] = "Toy " + i;
    }
    publish(many);
    caller.request(1);
    assertThat(caller.end).isEqualTo(Status.Code.RESOURCE_EXHAUSTED);
    assertThat(watches).isEmpty();
  }

  @Test
  void cancelledCallIsForgotten() {
    var caller = new Caller(ALL);
    caller.cancel();
    assertThat(watches).isEmpty();
    publish("Tux");
    assertThat(caller.answers).containsExactly(answer(0));
  }

  @Test
  void watchThatBeginsDuringACommitDoesNotMissIt() throws InterruptedException {
    for (int i = 0; i < 2_000; i++) {
      Product next = product("Tux", i);
      Thread writer = Thread.ofVirtual().start(() -> catalog.publish("Tux", next));
      var caller = new Caller(ALL);
      writer.join();
      synchronized (caller) {
        assertThat(caller.tux).isEqualTo(next);
      }
      caller.cancel();
    }
  }
}
