package toystore.bazaarlab;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ShelfTest {
  private static final int THREADS = 4;
  private static final int PIECES = 25;

  @ParameterizedTest
  @ValueSource(strings = {"mutex", "read-write-lock", "writer"})
  void noPieceIsLostInMemoryOrOnDisk(String guard) throws InterruptedException {
    try (var disk = SqliteDisk.open();
        var shelf = LockBenchmark.Held.guarded(guard).apply(disk)) {
      var threads = new ArrayList<Thread>();
      for (int i = 0; i < THREADS; i++) {
        threads.add(
            Thread.ofPlatform().start(() -> IntStream.range(0, PIECES).forEach(_ -> shelf.add(3))));
      }
      for (Thread thread : threads) {
        thread.join();
      }
      assertThat(shelf.pieces(3)).isEqualTo(THREADS * PIECES);
      assertThat(shelf.pieces(4)).isZero();
      assertThat(disk.pieces()).isEqualTo(THREADS * PIECES);
    }
  }
}
