package toystore.catalog.rpc;

import static toystore.common.RootLocale.format;

import io.grpc.stub.ServerCallStreamObserver;
import java.time.Duration;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import toystore.catalog.domain.Catalog;
import toystore.catalog.v1.WatchResponse;
import toystore.platform.error.ErrorReason;
import toystore.platform.rpc.RpcError;

/// A call of `Watch`, and the changed names that it has not sent yet.
///
/// ```
/// writer ── published ──▶ names ── send ──▶ call
///                         (merged while the caller reads slowly)
/// ```
///
/// The writer only adds names, so it never waits for a caller. A caller that takes nothing for
/// [#MAX_STALL], or that misses more than [#MAX_NAMES] names, is disconnected. Any thread; the lock
/// lets one at a time send.
final class CatalogWatchRpc implements Catalog.ChangeListener {
  /// Names of the maximum length are a message of 4 MB. Clients accept 8 MiB.
  static final int MAX_NAMES = 10_000;

  static final Duration MAX_STALL = Duration.ofSeconds(5);

  private final Catalog catalog;
  private final ServerCallStreamObserver<WatchResponse> call;
  private final Executor executor;
  private final LongSupplier nanoTime;
  private final Consumer<CatalogWatchRpc> onEnd;
  private final AtomicBoolean isScheduled = new AtomicBoolean();
  private final Set<String> names = new HashSet<>();
  private long sent; // number of answers
  private long sentAt;
  private boolean begun;
  private boolean ended;

  /// @param executor sends, so that the writer does not
  /// @param onEnd called once
  CatalogWatchRpc(
      Catalog catalog,
      ServerCallStreamObserver<WatchResponse> call,
      Executor executor,
      LongSupplier nanoTime,
      Consumer<CatalogWatchRpc> onEnd) {
    this.catalog = catalog;
    this.call = call;
    this.executor = executor;
    this.nanoTime = nanoTime;
    this.onEnd = onEnd;
    call.setOnReadyHandler(() -> flush(false));
    call.setOnCancelHandler(this::stopWatching);
  }

  /// Sends the first answer. A commit that is published meanwhile waits for the lock.
  synchronized void begin() {
    if (ended) {
      return;
    }
    begun = true;
    catalog.add(this); // before the answer says that no later change is missed
    send();
  }

  @Override
  public void onPublished(Set<String> changed) {
    if (add(changed) && isScheduled.compareAndSet(false, true)) {
      executor.execute(() -> {
        isScheduled.set(false);
        flush(false);
      });
    }
  }

  private synchronized boolean add(Set<String> changed) {
    if (ended) {
      return false;
    }
    if (names.size() <= MAX_NAMES) {
      names.addAll(changed);
    }
    return true;
  }

  /// Its receiver knows that it has seen all changes until now.
  void heartbeat() {
    flush(true);
  }

  private synchronized void flush(boolean isHeartbeat) {
    if (!begun || ended) {
      return;
    }
    if (names.size() > MAX_NAMES) {
      end(ErrorReason.OVERLOADED, format("more than %d names at once; watch again", MAX_NAMES));
    } else if (call.isReady()) {
      if (isHeartbeat || !names.isEmpty()) {
        send();
      }
    } else if (nanoTime.getAsLong() - sentAt > MAX_STALL.toNanos()) {
      end(ErrorReason.OVERLOADED, "caller reads too slowly; watch again");
    }
  }

  private void send() {
    call.onNext(WatchResponse.newBuilder().setNumber(sent++).addAllNames(names).build());
    names.clear();
    sentAt = nanoTime.getAsLong();
  }

  synchronized void end(ErrorReason reason, String message) {
    if (!ended) {
      call.onError(new RpcError(reason, message).toException());
      stopWatching();
    }
  }

  private synchronized void stopWatching() {
    if (!ended) {
      ended = true;
      catalog.remove(this);
      onEnd.accept(this);
    }
  }
}
