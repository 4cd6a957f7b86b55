package toystore.account.rpc;

import com.google.protobuf.ByteString;
import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.StreamObserver;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.springframework.context.event.ContextClosedEvent;
import org.springframework.context.event.EventListener;
import org.springframework.stereotype.Component;
import toystore.account.domain.Session;
import toystore.account.domain.Sessions;
import toystore.account.v1.WatchSessionsRequest;
import toystore.account.v1.WatchSessionsResponse;
import toystore.platform.error.ErrorReason;
import toystore.platform.rpc.RpcError;
import toystore.platform.service.StateLoadedEvent;
import toystore.platform.storage.Database;

/// The calls of `WatchSessions`: services that cache sessions, each with a lease.
///
/// ```
/// watcher                                    account service
///   request n, at s ────────────────────────▶ received at r: lease until r + 750 ms
///                                             logout: commit, publish
///   remove the session ◀─── ended sessions ── answer n
///   cache is used until s + 600 ms
///   request n+1 ────────────────────────────▶ acknowledged, or r + 750 ms is over:
///                                             the logout is answered
/// ```
///
/// Why no watcher uses a session whose end was answered: until it has removed the session, it has
/// no answer after n - 1, so it stops using its cache before the lease is over, by its own clock,
/// even if it was frozen or cut off. A process knows nothing of the leases that the process before
/// it gave, under which a watcher may also use its own answers; so at first it waits for one lease.
/// It gives none while another process may have taken over. Any thread.
@Component
final class SessionLeasesRpc implements AutoCloseable {
  /// Longer than the 600 ms for which a watcher uses its cache: clocks may run at different rates.
  static final Duration LEASE = Duration.ofMillis(750);

  private static final long HEARTBEAT_MILLIS = 200;
  private static final int MAX_WATCHERS = 64;
  private static final int MAX_ENDED = 10_000;
  private static final CompletableFuture<Void> NONE = CompletableFuture.completedFuture(null);

  private final Database database;
  private volatile CompletableFuture<Void> earlierLeases = NONE;
  private final Set<Lease> leases = ConcurrentHashMap.newKeySet();
  private final ScheduledExecutorService heartbeat =
      Executors.newSingleThreadScheduledExecutor(
          Thread.ofPlatform().daemon().name("session-leases").factory());

  SessionLeasesRpc(Sessions sessions, Database database) {
    this.database = database;
    sessions.onEnd(it -> leases.forEach(lease -> lease.add(it)));
    heartbeat.scheduleWithFixedDelay(
        () -> leases.forEach(Lease::heartbeat),
        HEARTBEAT_MILLIS,
        HEARTBEAT_MILLIS,
        TimeUnit.MILLISECONDS);
  }

  /// The process before this one may have given leases until its end.
  @EventListener(StateLoadedEvent.class)
  void onLoaded() {
    earlierLeases =
        new CompletableFuture<Void>()
            .completeOnTimeout(null, LEASE.toNanos(), TimeUnit.NANOSECONDS);
  }

  /// Returns the answer, or its failure, as soon as no watcher uses a session that had ended when
  /// the answer was known: after at most one lease.
  <T> CompletionStage<T> whenUnused(CompletionStage<T> answer) {
    return answer
        .<Object>handle((_, _) -> null)
        .thenCompose(_ ->
            CompletableFuture.allOf(
                Stream.concat(
                        Stream.of(earlierLeases),
                        leases.stream().map(Lease::requestAcknowledgement))
                    .toArray(CompletableFuture[]::new)))
        .thenCompose(_ -> answer);
  }

  /// Begins to give a lease to a watcher, or ends the call if there are too many.
  StreamObserver<WatchSessionsRequest> begin(StreamObserver<WatchSessionsResponse> watcher) {
    var call = (ServerCallStreamObserver<WatchSessionsResponse>) watcher;
    call.setOnCancelHandler(() -> {}); // the lease goes on
    var lease = new Lease(call);
    leases.add(lease);
    if (leases.size() > MAX_WATCHERS) { // also if several begin at once
      leases.remove(lease);
      lease.end(
          ErrorReason.OVERLOADED,
          "there are " + MAX_WATCHERS + " watchers, which is the maximum; retry later");
    }
    return lease;
  }

  /// Ends the calls, which otherwise would delay the stop of the server.
  @EventListener(ContextClosedEvent.class)
  void end() {
    leases.forEach(it -> it.end(ErrorReason.NOT_DONE, "service is stopping; retry later"));
  }

  @Override
  public void close() {
    heartbeat.shutdownNow();
  }

  /// The lease of one watcher. After the end of its call it goes on until its time is over.
  private final class Lease implements StreamObserver<WatchSessionsRequest> {
    private final ServerCallStreamObserver<WatchSessionsResponse> call;
    private final WatchSessionsResponse.Builder next = WatchSessionsResponse.newBuilder();
    private CompletableFuture<Void> unsent = new CompletableFuture<>();
    private CompletableFuture<Void> sent = NONE;
    private long until = System.nanoTime() + LEASE.toNanos();
    private boolean asked;
    private boolean hasUnsent;
    private boolean ended;

    Lease(ServerCallStreamObserver<WatchSessionsResponse> call) {
      this.call = call;
    }

    @Override
    public synchronized void onNext(WatchSessionsRequest request) {
      sent.complete(null);
      String notReady = database.notReady();
      if (notReady != null) { // another process may have taken over
        end(ErrorReason.NOT_DONE, notReady);
      } else if (!ended) {
        until = System.nanoTime() + LEASE.toNanos();
        asked = true;
        sendEnded();
      }
    }

    /// Called by the writer, which never waits for a watcher.
    synchronized void add(Session session) {
      hasUnsent = true;
      if (ended) {
        return;
      }
      next.addEndedTokenSha256(ByteString.copyFrom(session.token().bytes()));
      if (next.getEndedTokenSha256Count() > MAX_ENDED) {
        end(
            ErrorReason.OVERLOADED,
            "more than " + MAX_ENDED + " sessions ended at once; watch again");
      }
    }

    /// Completed when the watcher uses none of the sessions that were added.
    synchronized CompletableFuture<Void> requestAcknowledgement() {
      sendEnded();
      CompletableFuture<Void> last = hasUnsent ? unsent : sent;
      return last.isDone()
          ? last
          : last.copy().completeOnTimeout(null, until - System.nanoTime(), TimeUnit.NANOSECONDS);
    }

    synchronized void heartbeat() {
      if (until - System.nanoTime() <= 0) {
        leases.remove(this);
        end(ErrorReason.NOT_DONE, "no request within " + LEASE.toMillis() + " ms; watch again");
      } else if (asked) {
        send();
      }
    }

    private void sendEnded() {
      if (asked && hasUnsent) {
        send();
      }
    }

    private void send() {
      if (hasUnsent) {
        sent = unsent;
        unsent = new CompletableFuture<>();
        hasUnsent = false;
      }
      asked = false;
      call.onNext(next.build());
      next.clearEndedTokenSha256();
    }

    synchronized void end(ErrorReason reason, String message) {
      if (!ended) {
        ended = true;
        asked = false;
        call.onError(new RpcError(reason, message).toException());
      }
    }

    @Override
    public void onError(Throwable lost) {} // the watcher may still use its cache

    @Override
    public void onCompleted() {} // as above
  }
}
