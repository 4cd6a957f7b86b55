package toystore.platform.service;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;

import com.github.benmanes.caffeine.cache.Caffeine;
import com.google.protobuf.ByteString;
import io.grpc.Channel;
import io.grpc.ClientInterceptors;
import io.grpc.Context;
import io.grpc.stub.ClientCallStreamObserver;
import io.grpc.stub.ClientResponseObserver;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import toystore.account.v1.AccountServiceGrpc;
import toystore.account.v1.AccountServiceGrpc.AccountServiceStub;
import toystore.account.v1.AuthenticateRequest;
import toystore.account.v1.AuthenticateResponse;
import toystore.account.v1.Session;
import toystore.account.v1.WatchSessionsRequest;
import toystore.account.v1.WatchSessionsResponse;
import toystore.platform.cache.LeasedCache;
import toystore.platform.rpc.UnaryFutures;
import toystore.platform.text.Sha256;

/// gRPC client of the account service that finds the session of a token, in a [LeasedCache]. The
/// lease is that of `WatchSessions` in account.proto: the account service answers a logout only
/// when this cache has removed the session or has no lease. The lease is measured from before the
/// request that the account service answered last, so it ends here before it ends there, also if
/// this process freezes or is cut off. Without a lease each call asks the account service.
///
/// Of the tokens, only hashes are kept. Calls never block. Any thread.
public final class SessionCacheClient implements AutoCloseable {
  /// Shorter than the 750 ms for which the account service waits.
  static final Duration LEASE = Duration.ofMillis(600);

  /// The account service records a use when it is asked. So a session that is used is not idle.
  static final Duration MAX_AGE = Duration.ofSeconds(1);

  private static final Logger log = LoggerFactory.getLogger(SessionCacheClient.class);
  private static final int CAPACITY = 10_000;
  private static final long RETRY_MILLIS = 100;
  private static final long MAX_CALL_HOURS = 1;

  private final AccountServiceStub accounts;
  private final AccountServiceStub watching;
  private final LeasedCache<ByteString, Session> sessions;
  private final LongSupplier nanoTime;
  private volatile @Nullable Watch watch;
  private volatile boolean closed;

  public SessionCacheClient(
      PeerChannel accountChannel, AdministratorToken token, MeterRegistry registry) {
    this(
        ClientInterceptors.intercept(accountChannel.channel(), token.clientInterceptor()),
        ClientInterceptors.intercept(
            accountChannel.withoutCircuitBreaker(), token.clientInterceptor()),
        registry,
        System::nanoTime);
    if (accountChannel.isConfigured()) {
      begin();
    }
  }

  /// Without [#begin], no answer is used again.
  ///
  /// @param watching for the call that lasts
  public SessionCacheClient(
      Channel calls, Channel watching, MeterRegistry registry, LongSupplier nanoTime) {
    this.accounts = AccountServiceGrpc.newStub(calls);
    this.watching = AccountServiceGrpc.newStub(watching);
    this.sessions =
        new LeasedCache<>(
            "sessions",
            Caffeine.newBuilder().maximumSize(CAPACITY).expireAfterWrite(MAX_AGE),
            LEASE,
            nanoTime,
            registry);
    this.nanoTime = nanoTime;
  }

  /// Begins a watch, and another one whenever it ends.
  public void begin() {
    if (!closed) {
      var next = new Watch();
      watching.withDeadlineAfter(MAX_CALL_HOURS, TimeUnit.HOURS).watchSessions(next);
      watch = next;
      next.ask();
    }
  }

  /// Returns the session of a token, or fails with the error of the account service.
  public CompletionStage<Session> find(String token) {
    return sessions.get(hash(token), _ -> authenticate(token));
  }

  /// Others may wait for the answer, so it does not end with the call that asks first.
  private CompletionStage<Session> authenticate(String token) {
    var request = AuthenticateRequest.newBuilder().setToken(token).build();
    return UnaryFutures.<AuthenticateResponse>call(
            answer -> Context.current().fork().run(() -> accounts.authenticate(request, answer)))
        .thenApply(AuthenticateResponse::getSession);
  }

  /// As the account service hashes it.
  private static ByteString hash(String token) {
    return ByteString.copyFrom(Sha256.digest().digest(token.getBytes(UTF_8)));
  }

  @Override
  public void close() {
    closed = true;
    if (watch != null) {
      watch.cancel();
    }
  }

  private final class Watch
      implements ClientResponseObserver<WatchSessionsRequest, WatchSessionsResponse> {
    private boolean begun;
    private volatile long askedAt;
    private @Nullable ClientCallStreamObserver<WatchSessionsRequest> requests;

    @Override
    public void beforeStart(ClientCallStreamObserver<WatchSessionsRequest> call) {
      requests = call;
    }

    void ask() {
      askedAt = nanoTime.getAsLong();
      requireNonNull(requests).onNext(WatchSessionsRequest.getDefaultInstance());
    }

    @Override
    public void onNext(WatchSessionsResponse answer) {
      if (begun) {
        answer.getEndedTokenSha256List().forEach(sessions::remove);
        sessions.renew(askedAt);
      } else {
        begun = true;
        sessions.begin(askedAt);
      }
      ask(); // acknowledges the answer
    }

    void cancel() {
      requireNonNull(requests).cancel("stopping", null);
    }

    @Override
    public void onError(Throwable failure) {
      log.debug("the watch of sessions ended: {}", failure.getMessage());
      onCompleted();
    }

    @Override
    public void onCompleted() {
      sessions.end();
      CompletableFuture.delayedExecutor(RETRY_MILLIS, TimeUnit.MILLISECONDS)
          .execute(SessionCacheClient.this::begin);
    }
  }
}
