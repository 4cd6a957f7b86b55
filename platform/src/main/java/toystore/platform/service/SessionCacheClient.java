package toystore.platform.service;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import com.google.protobuf.ByteString;
import io.grpc.Channel;
import io.grpc.ClientInterceptors;
import io.grpc.stub.ClientCallStreamObserver;
import io.grpc.stub.ClientResponseObserver;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
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
import toystore.platform.rpc.UnaryFutures;

/// gRPC client of the account service that finds the session of a token. Answers are used again
/// under a lease (`WatchSessions` in account.proto): the account service answers a logout only when
/// this cache has removed the session or has no lease. Without a lease each call asks the account
/// service.
///
/// An answer is used again only while all of these hold:
/// - The lease of the watch under which it was asked for is current. It is measured from before the
///   request that the account service answered last, so it ends here before it ends there, also if
///   this process freezes or is cut off.
/// - No session ended between the question and its answer: the end may have overtaken the answer.
/// - The process that answered is the one that gives the lease.
/// - It is younger than the account service allows.
///
/// Of the tokens, only hashes are kept. Calls never block. Any thread.
public final class SessionCacheClient implements AutoCloseable {
  /// Shorter than the 750 ms for which the account service waits.
  static final Duration LEASE = Duration.ofMillis(600);

  private static final Logger log = LoggerFactory.getLogger(SessionCacheClient.class);
  private static final int CAPACITY = 10_000;
  private static final long RETRY_MILLIS = 100;
  private static final long MAX_CALL_HOURS = 1;

  private final AccountServiceStub accounts;
  private final AccountServiceStub watching;
  private final Counter hits;
  private final Counter misses;
  private final LongSupplier nanoTime;
  private volatile Watch watch;
  private volatile boolean closed;

  private record Entry(AuthenticateResponse answer, long askedAt) {}

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
    this.hits = registry.counter("cache.gets", "cache", "sessions", "result", "hit");
    this.misses = registry.counter("cache.gets", "cache", "sessions", "result", "miss");
    this.nanoTime = nanoTime;
    this.watch = new Watch();
  }

  /// Begins a watch, and another one whenever it ends.
  public void begin() {
    if (!closed) {
      watch = new Watch();
      watching.withDeadlineAfter(MAX_CALL_HOURS, TimeUnit.HOURS).watchSessions(watch);
      watch.ask();
    }
  }

  /// Returns the session of a token, or fails with the error of the account service.
  public CompletionStage<Session> find(String token) {
    Watch now = watch;
    long askedAt = nanoTime.getAsLong();
    ByteString key = hash(token);
    AuthenticateResponse known = now.find(key, askedAt);
    if (known != null) {
      hits.increment();
      return CompletableFuture.completedFuture(known.getSession());
    }
    misses.increment();
    long ends = now.ends.get();
    var request = AuthenticateRequest.newBuilder().setToken(token).build();
    return UnaryFutures.<AuthenticateResponse>call(answer -> accounts.authenticate(request, answer))
        .thenApply(answer -> {
          now.put(key, answer, askedAt, ends);
          return answer.getSession();
        });
  }

  /// As the account service hashes it.
  private static ByteString hash(String token) {
    try {
      return ByteString.copyFrom(
          MessageDigest.getInstance("SHA-256").digest(token.getBytes(UTF_8)));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("this JDK has no SHA-256", e);
    }
  }

  @Override
  public void close() {
    closed = true;
    watch.cancel();
  }

  /// A call of `WatchSessions`, and the answers that were asked for under its lease.
  private final class Watch
      implements ClientResponseObserver<WatchSessionsRequest, WatchSessionsResponse> {
    private final Cache<ByteString, Entry> entries =
        Caffeine.newBuilder().maximumSize(CAPACITY).executor(Runnable::run).build();
    private final AtomicLong ends = new AtomicLong(); // the first answer counts, too
    private volatile long epoch;
    private volatile long askedAt = nanoTime.getAsLong();
    private volatile long leasedFrom = askedAt - LEASE.toNanos();
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
      boolean begins = epoch == 0;
      epoch = answer.getEpoch();
      if (begins || answer.getEndedTokenSha256Count() > 0) {
        ends.incrementAndGet(); // first, see put
      }
      answer.getEndedTokenSha256List().forEach(entries::invalidate);
      leasedFrom = askedAt;
      ask();
    }

    boolean isCurrent(long now) {
      return now - leasedFrom < LEASE.toNanos();
    }

    @Nullable AuthenticateResponse find(ByteString key, long now) {
      Entry entry = isCurrent(now) ? entries.getIfPresent(key) : null;
      return entry != null
              && now - entry.askedAt
                  < TimeUnit.MILLISECONDS.toNanos(entry.answer.getReusableMillis())
          ? entry.answer
          : null;
    }

    /// A session that ends meanwhile is not added, or is added before it is removed.
    void put(ByteString key, AuthenticateResponse answer, long sessionAskedAt, long endsBefore) {
      if (answer.getEpoch() == epoch) {
        entries
            .asMap()
            .compute(
                key,
                (_, old) -> ends.get() == endsBefore ? new Entry(answer, sessionAskedAt) : old);
      }
    }

    void cancel() {
      if (requests != null) {
        requests.cancel("stopping", null);
      }
    }

    @Override
    public void onError(Throwable failure) {
      log.debug("the watch of sessions ended: {}", failure.getMessage());
      onCompleted();
    }

    @Override
    public void onCompleted() {
      CompletableFuture.delayedExecutor(RETRY_MILLIS, TimeUnit.MILLISECONDS)
          .execute(SessionCacheClient.this::begin);
    }
  }
}
