package toystore.order;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class RecentOrdersTest {
  private final RecentOrders orders = new RecentOrders(1_000, new SimpleMeterRegistry());

  @Test
  void ordersWithManyLinesTakeTheSpaceOfTheirLines() {
    LongStream.range(0, 500).forEach(it -> orders.put(order(it, 50)));
    LongStream.range(500, 5_000).forEach(it -> orders.put(order(it, 1)));

    assertThat(50 * cached(0, 500) + cached(500, 5_000)).isBetween(900L, 1_000L);
    assertThat(cached(500, 5_000)).isPositive();
  }

  private long cached(long from, long to) {
    return LongStream.range(from, to).filter(it -> orders.find(it) != null).count();
  }

  private static Order order(long number, int lines) {
    List<Order.Line> all = Collections.nCopies(lines, new Order.Line(1, "Tux", 1, 2599));
    return new Order(
        Order.Series.STORE, number, "key", Order.Kind.ORDER, lines > 1, all, Instant.EPOCH);
  }
}
