package toystore.clients.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class ZipfSamplerTest {
  private static final int DRAWS = 200_000;
  private static final List<String> TOYS =
      IntStream.rangeClosed(1, 200).mapToObj(it -> "Toy " + it).toList();

  @Test
  void theNthMostPopularValueIsDrawnNTimesLessOftenThanTheFirst() {
    Map<String, Long> drawn = drawn(new ZipfSampler(TOYS, 0));
    double harmonic = IntStream.rangeClosed(1, TOYS.size()).mapToDouble(it -> 1.0 / it).sum();
    for (int rank : List.of(1, 2, 3, 10, 50)) {
      double share = drawn.getOrDefault("Toy " + rank, 0L) / (double) DRAWS;
      assertThat(share).isCloseTo(1 / (rank * harmonic), within(0.003));
    }
    assertThat(drawn.keySet()).hasSize(TOYS.size());
  }

  @Test
  void rotatedListHasOtherPopularValues() {
    Map<String, Long> before = drawn(new ZipfSampler(TOYS, 0));
    Map<String, Long> after = drawn(new ZipfSampler(TOYS, 0.5));
    assertThat(after.get("Toy 101")).isEqualTo(before.get("Toy 1"));
    assertThat(after.get("Toy 1")).isEqualTo(before.get("Toy 101"));
  }

  private static Map<String, Long> drawn(ZipfSampler sampler) {
    var random = new SplittableRandom(1);
    return Stream.generate(() -> sampler.next(random))
        .limit(DRAWS)
        .collect(Collectors.groupingBy(Function.identity(), Collectors.counting()));
  }
}
