package toystore.order;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Instant;
import java.util.List;
import org.jetbrains.lincheck.datastructures.IntGen;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;
import org.jetbrains.lincheck.datastructures.StressOptions;
import org.junit.jupiter.api.Test;

/// An order that was entered is found by every thread from then on, as long as it is recent.
///
/// `-Dtoystore.lincheck.iterations=N` tries N scenarios.
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

  /// With room for all orders that Lincheck thinks of.
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
