package toystore.order;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.cache.CaffeineCacheMetrics;
import org.jspecify.annotations.Nullable;

/// A bounded cache of recently placed or queried orders. A client can read its own order before the
/// order is in the book on disk. Thread-safe.
final class RecentOrders {
  private final Cache<Long, Order> orders;

  /// @param bound maximum number of cached orders
  RecentOrders(int bound, MeterRegistry registry) {
    this.orders =
        CaffeineCacheMetrics.monitor(
            registry,
            Caffeine.newBuilder()
                .maximumSize(bound)
                .recordStats()
                .executor(Runnable::run) // to wake another thread takes longer than an eviction
                .build(),
            "recent");
  }

  void put(Order order) {
    orders.put(order.number(), order);
  }

  @Nullable Order find(long number) {
    return orders.getIfPresent(number);
  }
}
