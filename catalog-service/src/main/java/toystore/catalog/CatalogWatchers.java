package toystore.catalog;

import io.grpc.stub.ServerCallStreamObserver;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.springframework.context.event.ContextClosedEvent;
import org.springframework.context.event.EventListener;
import org.springframework.stereotype.Component;
import toystore.catalog.v1.WatchResponse;
import toystore.platform.rpc.ErrorReason;
import toystore.platform.rpc.RpcError;

/// The calls of `Watch`, and the thread that sends to them. Without a call, the writer has no
/// additional work. Any thread.
@Component
final class CatalogWatchers implements AutoCloseable {
  /// Each frontend with a product cache is one.
  static final int MAX_WATCHERS = 64;

  /// A frontend stops using its cache after 750 ms without an answer, so one or two late answers
  /// are no interruption.
  private static final Duration HEARTBEAT = Duration.ofMillis(250);

  private final Catalog catalog;
  private final Set<CatalogWatcher> watchers = ConcurrentHashMap.newKeySet();
  private final ScheduledThreadPoolExecutor sender =
      new ScheduledThreadPoolExecutor(
          1, // its queue has at most one task for each watcher, and the heartbeat
          Thread.ofPlatform().daemon().name("catalog-watch").factory(),
          new ThreadPoolExecutor.DiscardPolicy()); // the writer ends later and must not fail

  CatalogWatchers(Catalog catalog, MeterRegistry registry) {
    this.catalog = catalog;
    Gauge.builder("toystore.catalog.watchers", watchers, Set::size)
        .description("Frontends that watch the products for their caches")
        .register(registry);
    sender.scheduleWithFixedDelay(
        () -> watchers.forEach(CatalogWatcher::heartbeat),
        HEARTBEAT.toMillis(),
        HEARTBEAT.toMillis(),
        TimeUnit.MILLISECONDS);
  }

  void watch(ServerCallStreamObserver<WatchResponse> call) {
    var watcher = new CatalogWatcher(catalog, call, sender, System::nanoTime, watchers::remove);
    if (!add(watcher)) {
      call.onError(
          new RpcError(
                  ErrorReason.OVERLOADED,
                  "the catalog has %d watchers, which is the maximum; retry later"
                      .formatted(MAX_WATCHERS))
              .toException());
      return;
    }
    watcher.begin();
  }

  private synchronized boolean add(CatalogWatcher watcher) {
    return watchers.size() < MAX_WATCHERS && watchers.add(watcher);
  }

  /// Ends the calls, which otherwise would delay the stop of the server.
  @EventListener(ContextClosedEvent.class)
  void endAll() {
    watchers.forEach(it -> it.end(ErrorReason.NOT_DONE, "service is stopping; retry later"));
  }

  @Override
  public void close() {
    sender.shutdownNow();
  }
}
