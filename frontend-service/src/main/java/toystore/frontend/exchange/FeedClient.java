package toystore.frontend.exchange;

import io.github.resilience4j.bulkhead.Bulkhead;
import io.github.resilience4j.bulkhead.BulkheadConfig;
import io.github.resilience4j.bulkhead.BulkheadFullException;
import io.grpc.Context;
import io.grpc.Context.CancellableContext;
import io.grpc.StatusRuntimeException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.OptionalLong;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.stereotype.Component;
import org.springframework.util.function.SingletonSupplier;
import toystore.exchange.v1.ExchangeServiceGrpc;
import toystore.exchange.v1.ExchangeServiceGrpc.ExchangeServiceBlockingStub;
import toystore.exchange.v1.WatchRequest;
import toystore.exchange.v1.WatchResponse;
import toystore.frontend.http.PeerCalls;
import toystore.frontend.http.error.ApiException;
import toystore.frontend.http.json.Json;
import toystore.platform.error.ErrorReason;
import toystore.platform.rpc.RpcError;
import toystore.platform.service.AdministratorToken;
import toystore.platform.service.PeerChannel;

/// gRPC client of the exchange's feed. While there are readers, one call receives the events of all
/// symbols for all of them into a [FeedLog]. If it ends, it is repeated from the last trade, so no
/// trade is lost or doubled. A reader that begins, or that knows less than the log, makes a short
/// call of its own. Both are the frontend's calls, as the administrator: [TradeFeed] has checked
/// the reader's session. Any thread.
@Component
final class FeedClient {
  private static final Logger logger = LoggerFactory.getLogger(FeedClient.class);

  /// Bounds the memory of a reader that missed many trades.
  private static final int MAX_REPLAYED = 1_000;

  private static final int MAX_REPLAYS = 8;
  private static final long MIN_RETRY_MILLIS = 50;
  private static final long MAX_RETRY_MILLIS = 1_000;
  private static final Duration MAX_CALL_TIME = Duration.ofHours(1);

  private final ExchangeServiceBlockingStub asAdministrator;
  private final PeerCalls calls;
  private final Bulkhead replays;
  private @Nullable Upstream upstream;

  FeedClient(PeerChannel exchangeChannel, AdministratorToken token, BulkheadConfig limits) {
    this.asAdministrator =
        ExchangeServiceGrpc.newBlockingStub(exchangeChannel.withoutCircuitBreaker())
            .withInterceptors(token.clientInterceptor());
    this.calls = new PeerCalls(exchangeChannel);
    this.replays =
        Bulkhead.of(
            "exchange-replays",
            BulkheadConfig.custom()
                .maxConcurrentCalls(MAX_REPLAYS)
                .maxWaitDuration(limits.getMaxWaitDuration())
                .build());
  }

  /// Adds a reader. It receives every trade after the log's begin, and must be removed.
  synchronized FeedLog add(FeedReader reader) {
    if (upstream == null) {
      upstream = new Upstream();
      Thread.ofVirtual().name("exchange-feed").start(upstream);
    }
    upstream.log.readers().add(reader);
    return upstream.log;
  }

  synchronized void remove(FeedReader reader) {
    if (upstream != null
        && upstream.log.readers().remove(reader)
        && upstream.log.readers().isEmpty()) {
      upstream.stop();
      upstream = null;
    }
  }

  /// Returns trades that a reader does not know, and the depth of its symbol.
  ///
  /// @param symbol empty: all symbols
  /// @param after the last trade that the reader knows; empty: it begins now
  /// @param changes of depth that the log had before this call
  FeedLog.Page replay(String symbol, OptionalLong after, long changes) {
    var request = WatchRequest.newBuilder().setSymbol(symbol);
    after.ifPresent(request::setAfterTradeId);
    try {
      return replays.executeSupplier(() ->
          calls.read(() -> {
            CancellableContext context = Context.current().withCancellation();
            Context previous = context.attach();
            try {
              return replay(
                  asAdministrator.watch(request.build()), symbol, after.orElse(0), changes);
            } finally {
              context.detachAndCancel(previous, null);
            }
          }));
    } catch (BulkheadFullException e) {
      throw ApiException.of(
          ErrorReason.OVERLOADED,
          "server is overloaded; the request was not processed; retry later");
    }
  }

  private static FeedLog.Page replay(
      Iterator<WatchResponse> responses, String symbol, long after, long changes) {
    var events = new ArrayList<FeedLog.Event>();
    long position = after;
    boolean complete = false;
    while (responses.hasNext() && events.size() < MAX_REPLAYED) {
      WatchResponse response = responses.next();
      switch (response.getEventCase()) {
        case TRADE -> {
          position = response.getTrade().getTradeId();
          events.add(event(response));
        }
        case REPLAY_END -> {
          position = response.getReplayEnd().getLastTradeId();
          complete = true;
        }
        case DEPTH -> events.add(event(response));
        case EVENT_NOT_SET -> {} // of a newer exchange
      }
      if (complete && (symbol.isEmpty() || response.hasDepth())) {
        break;
      }
    }
    return new FeedLog.Page(events, new FeedLog.Cursor(position, changes));
  }

  private static FeedLog.Event event(WatchResponse response) {
    if (response.hasDepth()) {
      var depth = ExchangeClient.view(response.getDepth());
      return new FeedLog.Event(0, depth.symbol(), SingletonSupplier.of(() -> Json.text(depth)));
    }
    var trade = ExchangeClient.view(response.getTrade());
    return new FeedLog.Event(
        trade.tradeId(), trade.symbol(), SingletonSupplier.of(() -> Json.text(trade)));
  }

  /// The call for all readers. One thread; [#stop] any thread.
  private final class Upstream implements Runnable {
    final FeedLog log = new FeedLog();
    private final CountDownLatch stopped = new CountDownLatch(1);
    private final CancellableContext context = Context.ROOT.withCancellation();
    private long retryMillis = MIN_RETRY_MILLIS;

    void stop() {
      stopped.countDown();
      context.cancel(null);
    }

    @Override
    public void run() {
      try {
        do {
          retryMillis = Math.min(2 * retryMillis, MAX_RETRY_MILLIS);
          context.run(this::receive);
        } while (!stopped.await(retryMillis, TimeUnit.MILLISECONDS));
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }

    private void receive() {
      var request = WatchRequest.newBuilder();
      if (log.hasBegun()) {
        request.setAfterTradeId(log.last());
      }
      try {
        asAdministrator
            .withDeadlineAfter(MAX_CALL_TIME)
            .watch(request.build())
            .forEachRemaining(this::receive);
      } catch (StatusRuntimeException e) {
        logger.debug("the exchange's feed ended: {}", RpcError.of(e).message());
      } finally {
        log.end();
      }
    }

    private void receive(WatchResponse response) {
      switch (response.getEventCase()) {
        case TRADE -> {
          if (response.getTrade().getTradeId() > log.last()) {
            log.add(event(response));
          }
        }
        case DEPTH -> log.add(event(response));
        case REPLAY_END -> {
          log.begin(response.getReplayEnd().getLastTradeId());
          retryMillis = MIN_RETRY_MILLIS;
        }
        case EVENT_NOT_SET -> {} // of a newer exchange
      }
    }
  }
}
