package toystore.order;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.cache.CaffeineCacheMetrics;
import org.jspecify.annotations.Nullable;

/// Orders that were placed or asked for of late, so that a client reads its own write before it is
/// in the book on disk. Any thread.
final class RecentOrders {
  private final Cache<Long, Order> orders;

  /// @param bound how many are remembered
  RecentOrders(int bound, MeterRegistry registry) {
    this.orders =
        CaffeineCacheMetrics.monitor(
            registry, Caffeine.newBuilder().maximumSize(bound).recordStats().build(), "recent");
  }

  void put(Order order) {
    orders.put(order.number(), order);
  }

  @Nullable Order find(long number) {
    return orders.getIfPresent(number);
  }
}
