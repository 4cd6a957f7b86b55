package toystore.bazaarlab;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class GrpcCallKindTest {
  private static final List<GrpcCallKind> BOTH = List.of(GrpcCallKind.LOOKUP, GrpcCallKind.TRADE);

  @Test
  void sameSeedGivesTheSameMix() {
    assertThat(mixed(7, 100)).isEqualTo(mixed(7, 100)).isNotEqualTo(mixed(8, 100));
  }

  @Test
  void callsAreUniformlyDistributed() {
    long trades =
        mixed(1, 10_000).stream().filter(grpcCall -> grpcCall == GrpcCallKind.TRADE).count();
    assertThat(trades).isBetween(4_800L, 5_200L);
  }

  private static List<GrpcCallKind> mixed(long seed, int count) {
    var random = new Random(seed);
    return Stream.generate(() -> GrpcCallKind.any(BOTH, random)).limit(count).toList();
  }
}
