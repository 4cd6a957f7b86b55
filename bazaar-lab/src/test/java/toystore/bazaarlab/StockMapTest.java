package toystore.bazaarlab;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class StockMapTest {
  private static final int THREADS = 4;
  private static final int QUANTITY = 25;

  @ParameterizedTest
  @ValueSource(strings = {"mutex", "read-write-lock", "writer"})
  void concurrentAddsAreNotLostInMemoryOrOnDisk(String strategy) throws InterruptedException {
    try (var disk = SqliteDisk.open();
        var stockMap = LockBenchmark.SharedStockMap.stockMapFor(strategy).apply(disk)) {
      var threads = new ArrayList<Thread>();
      for (int i = 0; i < THREADS; i++) {
        threads.add(
            Thread.ofPlatform()
                .start(() -> IntStream.range(0, QUANTITY).forEach(_ -> stockMap.add(3))));
      }
      for (Thread thread : threads) {
        thread.join();
      }
      assertThat(stockMap.quantity(3)).isEqualTo(THREADS * QUANTITY);
      assertThat(stockMap.quantity(4)).isZero();
      assertThat(disk.quantity()).isEqualTo(THREADS * QUANTITY);
    }
  }
}
