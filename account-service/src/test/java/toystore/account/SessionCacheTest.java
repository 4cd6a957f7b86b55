package toystore.account;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;
import static toystore.account.AccountFixture.error;
import static toystore.account.v1.Role.ROLE_BUYER;
import static toystore.clients.Conditions.await;

import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.ClientCall;
import io.grpc.ClientInterceptors;
import io.grpc.ForwardingClientCall.SimpleForwardingClientCall;
import io.grpc.ForwardingClientCallListener.SimpleForwardingClientCallListener;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.StatusRuntimeException;
import io.grpc.stub.MetadataUtils;
import io.grpc.stub.StreamObserver;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.SplittableRandom;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import toystore.account.v1.AccountServiceGrpc;
import toystore.account.v1.LoginResponse;
import toystore.account.v1.Session;
import toystore.account.v1.WatchSessionsRequest;
import toystore.account.v1.WatchSessionsResponse;
import toystore.clients.FaultProxy;
import toystore.platform.error.ErrorReason;
import toystore.platform.rpc.RpcError;
import toystore.platform.service.SessionCacheClient;
import toystore.testkit.PostgresCluster;

/// Services that cache sessions, and the account service that gives them leases. If a cache has the
/// test's clock, its lease and its sessions do not end by themselves.
@SuppressWarnings("NullAway.Init") // set before each test
class SessionCacheTest {
  private static final long LEASE_NANOS = Duration.ofMillis(600).toNanos();
  private static final long MAX_AGE_NANOS = Duration.ofSeconds(1).toNanos();
  private static final int MAX_WATCHERS = 64;

  /// Outlives each channel.
  private static final Executor CALLBACKS = Executors.newVirtualThreadPerTaskExecutor();

  @TempDir Path folder;
  private final SettableClock clock = new SettableClock();
  private final CountingPasswordEncoder encoder = new CountingPasswordEncoder();
  private final AtomicLong nanos = new AtomicLong(System.nanoTime());
  private final List<Watcher> watchers = new ArrayList<>();
  private volatile AccountFixture service;

  /// A service with a cache. While it is frozen, it receives nothing about sessions that end.
  private final class Watcher {
    final CountDownLatch thawed = new CountDownLatch(1);
    final SimpleMeterRegistry metrics = new SimpleMeterRegistry();
    final SessionCacheClient sessions;
    volatile boolean frozen;

    Watcher(Channel calls, Channel watching, LongSupplier nanoTime) {
      sessions =
          new SessionCacheClient(
              calls, ClientInterceptors.intercept(watching, this::freezable), metrics, nanoTime);
      sessions.begin();
      watchers.add(this);
    }

    private <Q, A> ClientCall<Q, A> freezable(
        MethodDescriptor<Q, A> method, CallOptions options, Channel next) {
      return new SimpleForwardingClientCall<>(next.newCall(method, options)) {
        @Override
        public void start(Listener<A> listener, Metadata headers) {
          super.start(
              new SimpleForwardingClientCallListener<>(listener) {
                @Override
                public void onMessage(A answer) {
                  if (frozen) {
                    awaitThaw();
                  }
                  super.onMessage(answer);
                }
              },
              headers);
        }
      };
    }

    private void awaitThaw() {
      try {
        thawed.await();
      } catch (InterruptedException e) {
        throw new IllegalStateException(e);
      }
    }

    Session find(LoginResponse login) {
      try {
        return sessions.find(login.getToken()).toCompletableFuture().join();
      } catch (CompletionException e) {
        throw (StatusRuntimeException) requireNonNull(e.getCause());
      }
    }

    boolean hits(LoginResponse login) {
      double before = hits();
      find(login);
      return hits() > before;
    }

    double hits() {
      return metrics.counter("cache.gets", "cache", "sessions", "result", "hit").count();
    }

    void refuses(LoginResponse login) {
      assertThat(error(() -> find(login)).reason()).isEqualTo(ErrorReason.SESSION_UNKNOWN);
    }
  }

  @BeforeEach
  void start() {
    service = new AccountFixture(folder, clock, encoder);
    service.register(ROLE_BUYER, "Ann");
  }

  @AfterEach
  void stop() {
    watchers.forEach(it -> it.thawed.countDown());
    watchers.forEach(it -> it.sessions.close());
    service.close();
  }

  private Watcher watcher(LongSupplier nanoTime) {
    Channel channel = administrator(new CurrentService());
    return new Watcher(channel, channel, nanoTime);
  }

  private static Channel administrator(Channel channel) {
    return ClientInterceptors.intercept(
        channel, MetadataUtils.newAttachHeadersInterceptor(AccountFixture.administrator()));
  }

  /// Calls the account service that runs now.
  private final class CurrentService extends Channel {
    @Override
    public <Q, A> ClientCall<Q, A> newCall(MethodDescriptor<Q, A> method, CallOptions options) {
      return service.channel().newCall(method, options.withExecutor(CALLBACKS));
    }

    @Override
    public String authority() {
      return service.channel().authority();
    }
  }

  private LoginResponse login() {
    return service.login(ROLE_BUYER, "Ann");
  }

  /// Other threads look the session up all the time, so answers and ends overtake each other.
  @Test
  void answeredLogoutHoldsAtOnceAtEachWatcher() throws InterruptedException {
    for (int i = 0; i < 3; i++) {
      watcher(nanos::get);
    }
    LoginResponse other = login();
    watchers.forEach(it -> await(() -> it.hits(other)));
    for (int round = 0; round < 100; round++) {
      LoginResponse login = login();
      var begun = new CountDownLatch(watchers.size());
      var users = new ArrayList<Thread>();
      for (Watcher watcher : watchers) {
        users.add(
            Thread.ofPlatform()
                .start(() -> {
                  try {
                    while (true) {
                      watcher.find(login);
                      begun.countDown();
                    }
                  } catch (StatusRuntimeException e) {
                    // the session has ended
                  }
                }));
      }
      begun.await();
      service.logout(login.getToken());
      watchers.forEach(it -> it.refuses(login));
      for (Thread user : users) {
        user.join();
      }
      watchers.forEach(it -> it.refuses(login)); // also after the last answers
      assertThat(watchers).allMatch(it -> it.hits(other));
    }
  }

  static LongStream seeds() {
    return LongStream.rangeClosed(1, Long.getLong("walk.seeds", 1));
  }

  @ParameterizedTest(name = "seed {0}")
  @MethodSource("seeds")
  @Tag("walk")
  void watchersAgreeWithAModelInRandomWalk(long seed) {
    var random = new Random(seed);
    for (int i = 0; i < 3; i++) {
      watcher(nanos::get);
    }
    LoginResponse other = login();
    watchers.forEach(it -> await(() -> it.hits(other)));
    var logins = new ArrayList<>(List.of(other));
    var ended = new HashSet<LoginResponse>();
    for (int step = 0; step < 500; step++) {
      LoginResponse login = logins.get(random.nextInt(logins.size()));
      Watcher watcher = watchers.get(random.nextInt(watchers.size()));
      if (random.nextInt(8) == 0) {
        logins.add(login());
      } else if (ended.contains(login)) {
        watcher.refuses(login);
      } else if (random.nextInt(8) == 0) {
        service.logout(login.getToken());
        ended.add(login);
      } else {
        assertThat(watcher.find(login)).isEqualTo(login.getSession());
      }
    }
    assertThat(watchers).allMatch(it -> it.hits() > 10);
  }

  @Test
  void sessionThatALoginEndsIsRefusedAtOnce() {
    Watcher watcher = watcher(nanos::get);
    LoginResponse oldest = login();
    await(() -> watcher.hits(oldest));
    for (int i = 0; i < 100; i++) {
      login();
    }
    watcher.refuses(oldest);
  }

  /// The clock is real: by its own clock, the watcher's lease is over before the answer.
  @Test
  void logoutIsAnsweredWhenTheLeaseOfAFrozenWatcherIsOver() {
    Watcher healthy = watcher(nanos::get);
    Watcher frozen = watcher(System::nanoTime);
    LoginResponse login = login();
    await(() -> healthy.hits(login));
    await(() -> frozen.hits(login));
    frozen.frozen = true;
    service.logout(login.getToken());
    frozen.refuses(login);
    healthy.refuses(login);
    LoginResponse next = login();
    await(() -> healthy.hits(next));
    frozen.thawed.countDown();
    frozen.frozen = false;
    await(() -> frozen.hits(next));
    service.logout(next.getToken());
    frozen.refuses(next);
  }

  /// The watcher's clock stands still, so only the end of the watch ends its use of the cache.
  @Test
  void serviceThatLostItsDatabaseGivesNoLease() throws Exception {
    PostgresCluster.database("account");
    try (var proxy = new FaultProxy(PostgresCluster.port(), 0, new SplittableRandom(1))) {
      service.close();
      service =
          new AccountFixture(
              folder,
              clock,
              encoder,
              "--toystore.database=jdbc:postgresql://127.0.0.1:" + proxy.port() + "/account",
              "--toystore.database-user=postgres");
      service.register(ROLE_BUYER, "Ann");
      Watcher watcher = watcher(nanos::get);
      LoginResponse login = login();
      await(() -> watcher.hits(login));

      proxy.refuse();
      await(() -> catchThrowable(() -> watcher.find(login)) != null);
      assertThat(error(() -> watcher.find(login)).reason()).isEqualTo(ErrorReason.NOT_DONE);

      proxy.heal();
      await(() -> catchThrowable(() -> watcher.find(login)) == null);
      await(() -> watcher.hits(login));
    }
  }

  @Test
  void frozenWatcherUsesItsCacheForALeaseOnly() {
    Watcher watcher = watcher(nanos::get);
    LoginResponse login = login();
    await(() -> watcher.hits(login));
    watcher.frozen = true;
    nanos.addAndGet(LEASE_NANOS - 1);
    assertThat(watcher.hits(login)).isTrue();
    nanos.addAndGet(1);
    assertThat(watcher.hits(login)).isFalse();
    assertThat(watcher.hits(login)).isFalse();
  }

  @Test
  void answerIsUsedForASecond() {
    Watcher watcher = watcher(nanos::get);
    LoginResponse login = login();
    LoginResponse other = login();
    await(() -> watcher.hits(login));
    nanos.addAndGet(MAX_AGE_NANOS - 2); // Caffeine counts in steps of 2
    await(() -> watcher.hits(other)); // the next lease
    assertThat(watcher.hits(login)).isTrue();
    nanos.addAndGet(2);
    assertThat(watcher.hits(other)).isTrue();
    assertThat(watcher.hits(login)).isFalse();
    assertThat(watcher.hits(login)).isTrue();
  }

  @Test
  void idleSessionEndsAtEachWatcher() {
    Watcher watcher = watcher(nanos::get);
    LoginResponse login = login();
    LoginResponse other = login();
    await(() -> watcher.hits(login));
    clock.advance(Duration.ofMinutes(5));
    nanos.addAndGet(Duration.ofMinutes(5).toNanos());
    watcher.refuses(login);
    watcher.refuses(other);
  }

  @Test
  void watchBeginsAgainAfterARestart() {
    Watcher watcher = watcher(nanos::get);
    LoginResponse login = login();
    LoginResponse other = login();
    await(() -> watcher.hits(login));
    service.close();
    service = new AccountFixture(folder, clock, encoder);
    service.logout(login.getToken());
    watcher.refuses(login);
    await(() -> watcher.hits(other));
    service.logout(other.getToken());
    watcher.refuses(other);
  }

  @Test
  void tooManyWatchersAreRefused() {
    var refusals = new LinkedBlockingQueue<String>();
    for (int i = 0; i <= MAX_WATCHERS; i++) {
      AccountServiceGrpc.newStub(administrator(service.channel()))
          .watchSessions(
              new StreamObserver<>() {
                @Override
                public void onNext(WatchSessionsResponse answer) {}

                @Override
                public void onError(Throwable failure) {
                  refusals.add(RpcError.of((StatusRuntimeException) failure).reason().name());
                }

                @Override
                public void onCompleted() {}
              })
          .onNext(WatchSessionsRequest.getDefaultInstance());
    }
    await(() -> refusals.contains("OVERLOADED"));
  }
}
