package toystore.catalog.rpc;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static toystore.clients.Conditions.await;
import static toystore.common.RootLocale.format;

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
import toystore.catalog.domain.ProductRef;
import toystore.catalog.v1.CatalogServiceGrpc;
import toystore.catalog.v1.WatchRequest;
import toystore.catalog.v1.WatchResponse;

/// Watches over gRPC's in-process transport, in which a caller is ready as long as it has requested
/// an answer.
class CatalogWatchTest {
  private static final long EPOCH = 7;
  private static final int ALL = Integer.MAX_VALUE;

  private final Catalog catalog = new Catalog(EPOCH, new Items(1, 1));
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

  /// An answer, with its sequences and names.
  private record Answer(long previous, long sequence, Set<String> names) {}

  private static Answer answer(long previous, long sequence, String... names) {
    return new Answer(previous, sequence, Set.of(names));
  }

  /// A caller of `Watch`.
  private final class Caller implements ClientResponseObserver<WatchRequest, WatchResponse> {
    private final int requested;
    private final List<Answer> answers = new ArrayList<>();
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
      assertThat(next.getVersion().getEpoch()).isEqualTo(EPOCH);
      answers.add(
          new Answer(
              next.getPreviousSequence(),
              next.getVersion().getSequence(),
              new TreeSet<>(next.getNamesList())));
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
    return new Product(1 + name.hashCode(), null, name, "", 100, 5, 0, null, false);
  }

  @Test
  void watchBeginsAtThePublishedVersionAndGetsEachLaterCommit() {
    publish("Tux");
    var caller = new Caller(ALL);
    publish("Whale", "Bird");
    catalog.publish("Tux", null);
    assertThat(caller.answers)
        .containsExactly(answer(1, 1), answer(1, 2, "Whale", "Bird"), answer(2, 3, "Tux"));
  }

  @Test
  void eventComesAfterItsProductsAndTheirSequence() {
    List<String> seen = new ArrayList<>();
    catalog.add((sequence, names) ->
        names.forEach(name ->
            seen.add(
                format(
                    "%d %d %s",
                    sequence, catalog.sequence(), catalog.published(new ProductRef.Named(name))))));
    publish("Tux");
    catalog.publish("Tux", null);
    assertThat(seen).containsExactly("1 1 " + new Catalog.Published(product("Tux"), 1), "2 2 null");
  }

  /// A read in the middle of a commit, and one after it that saw the same product.
  @Test
  void readThatSeesTheNextCommitHasItsSequence() {
    long before = catalog.sequence();
    publish("Tux");
    publish("Whale");
    var tux = requireNonNull(catalog.published(new ProductRef.Named("Tux")));
    assertThat(Catalog.sequenceOf(before, tux)).isEqualTo(1);
    assertThat(Catalog.sequenceOf(catalog.sequence(), tux)).isEqualTo(2);
  }

  @Test
  void slowCallerGetsOneAnswerForAllCommitsItMissed() {
    var caller = new Caller(1);
    publish("Tux", "Bird");
    publish("Tux");
    publish("Whale");
    assertThat(caller.answers).containsExactly(answer(0, 0));
    caller.request(1);
    assertThat(caller.answers).containsExactly(answer(0, 0), answer(0, 3, "Tux", "Bird", "Whale"));
  }

  @Test
  void heartbeatHasNoNames() {
    var caller = new Caller(ALL);
    publish("Tux");
    watches.forEach(CatalogWatchRpc::heartbeat);
    assertThat(caller.answers).containsExactly(answer(0, 0), answer(0, 1, "Tux"), answer(1, 1));
  }

  @Test
  void heartbeatDoesNotOvertakeAnEvent() {
    var caller = new Caller(1);
    publish("Tux");
    watches.forEach(CatalogWatchRpc::heartbeat);
    caller.request(1);
    assertThat(caller.answers).containsExactly(answer(0, 0), answer(0, 1, "Tux"));
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
    assertThat(caller.answers).containsExactly(answer(0, 0));
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
    assertThat(caller.answers).containsExactly(answer(0, 0));
  }

  /// Reads of each watch's answers fit together while another thread publishes.
  @Test
  void watchThatBeginsDuringCommitsMissesNone() throws InterruptedException {
    int commits = 20_000;
    Thread writer =
        Thread.ofPlatform()
            .start(() -> {
              for (int i = 0; i < commits; i++) {
                publish("Tux");
              }
            });
    List<Caller> callers = new ArrayList<>();
    while (writer.isAlive()) {
      callers.add(new Caller(ALL));
      if (callers.size() > 20) {
        callers.removeFirst().cancel();
      }
    }
    writer.join();
    callers.add(new Caller(ALL));
    for (Caller caller : callers) {
      await(() -> last(caller) == commits);
      synchronized (caller) {
        long last = caller.answers.getFirst().sequence;
        for (Answer answer : caller.answers) {
          assertThat(answer.previous).isEqualTo(last);
          last = answer.sequence;
        }
      }
    }
  }

  private static long last(Caller caller) {
    synchronized (caller) {
      return caller.answers.getLast().sequence;
    }
  }
}
