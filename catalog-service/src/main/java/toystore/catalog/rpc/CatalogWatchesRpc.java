package toystore.catalog.rpc;

import static toystore.common.RootLocale.format;

import io.grpc.stub.ServerCallStreamObserver;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.context.event.ContextClosedEvent;
import org.springframework.context.event.EventListener;
import org.springframework.stereotype.Component;
import toystore.catalog.domain.Catalog;
import toystore.catalog.v1.WatchResponse;
import toystore.platform.error.ErrorReason;
import toystore.platform.rpc.NotServingEvent;
import toystore.platform.storage.Database;

/// The open calls of `Watch`. One thread sends their messages and heartbeats. Any thread.
@Component
final class CatalogWatchesRpc implements AutoCloseable {
  /// Each frontend with a product cache has one.
  private static final int MAX_WATCHES = 64;

  /// A frontend stops using its cache after 750 ms, so a late heartbeat is no interruption.
  private static final long HEARTBEAT_MILLIS = 250;

  /// One message for each commit would cost 8 % of the buys.
  private static final long COLLECT_MILLIS = 10;

  private final Catalog catalog;
  private final Set<CatalogWatchRpc> watches = ConcurrentHashMap.newKeySet();
  private final ScheduledThreadPoolExecutor sender =
      new ScheduledThreadPoolExecutor(
          1, // its queue has at most one task for each watch, and the heartbeat
          Thread.ofPlatform().daemon().name("catalog-watch").factory(),
          new ThreadPoolExecutor.DiscardPolicy()); // the writer ends later and must not fail

  @Autowired
  CatalogWatchesRpc(Catalog catalog, Database database) {
    this(catalog, database::notServing);
  }

  /// @param notServing why no heartbeat may be sent, or null. A process that was stopped and
  ///   continued must not wait for [NotServingEvent]
  CatalogWatchesRpc(Catalog catalog, Supplier<@Nullable String> notServing) {
    this.catalog = catalog;
    sender.scheduleWithFixedDelay(
        () -> {
          if (notServing.get() == null) {
            watches.forEach(CatalogWatchRpc::heartbeat);
          }
        },
        HEARTBEAT_MILLIS,
        HEARTBEAT_MILLIS,
        TimeUnit.MILLISECONDS);
  }

  /// Ends the call if there are too many.
  void begin(ServerCallStreamObserver<WatchResponse> call) {
    var watch =
        new CatalogWatchRpc(
            catalog,
            call,
            task -> sender.schedule(task, COLLECT_MILLIS, TimeUnit.MILLISECONDS),
            System::nanoTime,
            watches::remove);
    watches.add(watch);
    if (watches.size() > MAX_WATCHES) { // also if several begin at once
      watch.end(
          ErrorReason.OVERLOADED,
          format("the catalog has %d watches, which is the maximum; retry later", MAX_WATCHES));
    } else {
      watch.begin();
    }
  }

  /// They would delay the stop of the server.
  @EventListener(ContextClosedEvent.class)
  void end() {
    watches.forEach(it -> it.end(ErrorReason.NOT_DONE, "service is stopping; retry later"));
  }

  /// Without heartbeats the caches are not used.
  @EventListener
  void end(NotServingEvent event) {
    watches.forEach(it -> it.end(ErrorReason.NOT_DONE, event.reason()));
  }

  @Override
  public void close() {
    sender.shutdownNow();
  }
}
