package toystore.order;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.cache.CaffeineCacheMetrics;
import org.jspecify.annotations.Nullable;

/// A cache of recently placed or queried orders. A client can read its own order before the order
/// is in the book on disk. Thread-safe.
final class RecentOrders {
  private final Cache<Long, Order> orders;

  /// @param bound maximum number of lines of all cached orders: an order has 1 to 50
  RecentOrders(int bound, MeterRegistry registry) {
    this.orders =
        CaffeineCacheMetrics.monitor(
            registry,
            Caffeine.newBuilder()
                .maximumWeight(bound)
                .weigher((Long _, Order order) -> Math.max(1, order.lines().size()))
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
