package toystore.order;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Instant;
import java.util.List;
import org.jetbrains.lincheck.datastructures.IntGen;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;
import org.jetbrains.lincheck.datastructures.StressOptions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// Linearizability of [RecentOrders]: after a put, every thread finds the order until it is
/// evicted.
///
/// `-Dtoystore.lincheck.iterations=N` tries N scenarios.
@Tag("lincheck")
class RecentOrdersLincheckTest {
  private static final int ITERATIONS = Integer.getInteger("toystore.lincheck.iterations", 3);

  @Test
  void findReturnsEveryOrderThatWasPut() {
    new StressOptions()
        .iterations(ITERATIONS)
        .invocationsPerIteration(200)
        .threads(3)
        .actorsPerThread(3)
        .check(RecentOrdersOperations.class);
  }

  /// The operations under test. The cache is large enough that nothing is evicted.
  public static class RecentOrdersOperations {
    private final RecentOrders orders = new RecentOrders(1_000, new SimpleMeterRegistry());

    @Operation
    public void put(@Param(gen = IntGen.class, conf = "0:3") int number) {
      orders.put(
          new Order(
              Order.Series.STORE,
              number,
              "key",
              Order.Kind.ORDER,
              false,
              List.of(),
              Instant.EPOCH));
    }

    @Operation
    public boolean find(@Param(gen = IntGen.class, conf = "0:3") int number) {
      return orders.find(number) != null;
    }
  }
}
