package toystore.exchange.rpc;

import io.grpc.StatusRuntimeException;
import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.StreamObserver;
import java.util.Iterator;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import toystore.exchange.domain.FeedSubscription;
import toystore.exchange.domain.MarketEvent;
import toystore.exchange.v1.WatchResponse;
import toystore.platform.error.ErrorReason;
import toystore.platform.rpc.RpcError;

/// A call of `Watch`. It sends as fast as the reader takes, and ends if its subscription's buffer
/// is full. It observes the checks and reads that come first. Any thread; the lock lets one at a
/// time send.
final class WatchRpc implements StreamObserver<WatchRpc.Beginning> {
  private final ServerCallStreamObserver<WatchResponse> call;
  private final Executor executor;
  private final Consumer<WatchRpc> onEnd;
  private final AtomicBoolean isScheduled = new AtomicBoolean();
  private @Nullable FeedSubscription subscription;
  private @Nullable Iterator<WatchResponse> first;
  private @Nullable Runnable atEnd;
  private boolean ended;

  /// @param responses what is sent first
  /// @param events null: the call then ends with OVERLOADED
  record Beginning(Iterator<WatchResponse> responses, @Nullable FeedSubscription events) {}

  /// @param executor sends, so that the writer does not
  /// @param onEnd called once
  WatchRpc(
      ServerCallStreamObserver<WatchResponse> call, Executor executor, Consumer<WatchRpc> onEnd) {
    this.call = call;
    this.executor = executor;
    this.onEnd = onEnd;
    call.setOnReadyHandler(this::send);
    call.setOnCancelHandler(this::stopWatching);
  }

  @Override
  public synchronized void onNext(Beginning beginning) {
    first = beginning.responses();
    subscription = beginning.events();
    send();
  }

  @Override
  public void onCompleted() {} // the call goes on

  @Override
  public synchronized void onError(Throwable refusal) {
    if (!ended) {
      call.onError(refusal);
      end();
    }
  }

  synchronized void atEnd(Runnable action) {
    atEnd = action;
    if (ended) {
      action.run();
    }
  }

  /// Called by the writer. Never blocks.
  void wake() {
    if (isScheduled.compareAndSet(false, true)) {
      executor.execute(() -> {
        isScheduled.set(false);
        send();
      });
    }
  }

  private synchronized void send() {
    if (first == null || ended) {
      return;
    }
    if (subscription != null && subscription.hasOverflowed()) {
      onError(overloaded("reader is too slow; continue after the last trade received"));
      return;
    }
    while (call.isReady()) {
      WatchResponse next = next(first);
      if (next == null) {
        break;
      }
      call.onNext(next);
    }
    if (subscription == null && !first.hasNext()) {
      onError(
          overloaded(
              "more trades were missed than one call sends; continue after the last trade received"));
    }
  }

  private @Nullable WatchResponse next(Iterator<WatchResponse> responses) {
    if (responses.hasNext()) {
      return responses.next();
    }
    MarketEvent event = subscription == null ? null : subscription.poll();
    return event == null ? null : ExchangeRpc.response(event);
  }

  private static StatusRuntimeException overloaded(String message) {
    return new RpcError(ErrorReason.OVERLOADED, message).toException();
  }

  private synchronized void stopWatching() {
    if (!ended) {
      end();
    }
  }

  private void end() {
    ended = true;
    if (atEnd != null) {
      atEnd.run();
    }
    onEnd.accept(this);
  }
}
