package toystore.frontend.products;

import io.grpc.Context;
import io.grpc.Context.CancellableContext;
import io.grpc.StatusRuntimeException;
import java.time.Duration;
import java.util.Iterator;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.SmartLifecycle;
import org.springframework.stereotype.Component;
import toystore.catalog.v1.CatalogServiceGrpc;
import toystore.catalog.v1.CatalogServiceGrpc.CatalogServiceBlockingStub;
import toystore.catalog.v1.WatchRequest;
import toystore.catalog.v1.WatchResponse;
import toystore.platform.rpc.RpcError;
import toystore.platform.service.PeerChannel;

/// The call of the catalog's watch that keeps the [ProductCache] current. If it ends, it is
/// repeated. While there is none, every query goes to the catalog. One virtual thread.
@Component
final class ProductWatchClient implements SmartLifecycle {
  private static final Logger log = LoggerFactory.getLogger(ProductWatchClient.class);
  private static final long RETRY_MILLIS = 100;
  private static final Duration MAX_CALL_TIME = Duration.ofHours(1);

  private final ProductCache cache;
  private final CatalogServiceBlockingStub catalog;
  private volatile boolean started;
  private final CountDownLatch stopped = new CountDownLatch(1);
  private volatile CancellableContext running = Context.ROOT.withCancellation();

  ProductWatchClient(ProductCache cache, PeerChannel catalogChannel) {
    this.cache = cache;
    this.catalog = CatalogServiceGrpc.newBlockingStub(catalogChannel.withoutCircuitBreaker());
  }

  @Override
  public void start() {
    started = true;
    if (cache.isEnabled()) {
      Thread.ofVirtual().name("product-watch").start(this::run);
    }
  }

  private void run() {
    try {
      do {
        CancellableContext call = Context.ROOT.withCancellation();
        running = call;
        try {
          call.run(this::follow);
        } finally {
          call.cancel(null);
        }
      } while (!stopped.await(RETRY_MILLIS, TimeUnit.MILLISECONDS));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void follow() {
    try {
      Iterator<WatchResponse> messages =
          catalog.withDeadlineAfter(MAX_CALL_TIME).watch(WatchRequest.getDefaultInstance());
      while (messages.hasNext() && receive(messages.next())) {}
    } catch (StatusRuntimeException e) {
      log.debug("the watch of the catalog ended: {}", RpcError.of(e).message());
    } finally {
      cache.end();
    }
  }

  private boolean receive(WatchResponse message) {
    return cache.receive(message.getNumber(), message.getNamesList());
  }

  @Override
  public void stop() {
    stopped.countDown();
    running.cancel(null);
  }

  @Override
  public boolean isRunning() {
    return started && stopped.getCount() > 0;
  }
}
