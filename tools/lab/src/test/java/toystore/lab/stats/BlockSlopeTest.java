package toystore.lab.stats;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.List;
import java.util.OptionalInt;
import java.util.Random;
import java.util.stream.DoubleStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import toystore.lab.stats.BlockSlope.Point;

class BlockSlopeTest {
  /// A call that waits for three round trips, over 0, 1, 2 and 5 ms, with 0.1 ms of noise, in
  /// blocks whose base differs.
  @Test
  void knownNumberOfRoundTripsIsFound() {
    var random = new Random(6);
    var slope =
        BlockSlope.of(
            Stream.generate(() -> random.nextDouble(0.5, 2))
                .limit(8)
                .map(base ->
                    DoubleStream.of(0, 1, 2, 5)
                        .mapToObj(distance ->
                            new Point(distance, base + 3 * distance + random.nextGaussian(0, 0.1)))
                        .toList())
                .toList());
    assertThat(slope.integer()).as("seed 6").isEqualTo(OptionalInt.of(3));
    assertThat(slope.roundTrips().value()).as("seed 6").isBetween(2.95, 3.05);
  }

  // by hand: slopes 1 and 2 of the two blocks; t = 12.7062, standard error 0.5
  @Test
  void eachBlockHasItsOwnSlope() {
    var slope =
        BlockSlope.of(
            List.of(
                List.of(new Point(0, 3), new Point(1, 4), new Point(2, 5)),
                List.of(new Point(0, 8), new Point(1, 10), new Point(2, 12))));
    assertThat(ConfidenceIntervalTest.rounded(slope.roundTrips()))
        .isEqualTo(new ConfidenceInterval(1.5, -4.8531, 7.8531));
    assertThat(slope.integer()).isEmpty();
  }

  @Test
  void intervalBetweenIntegersHasNone() {
    assertThat(new BlockSlope(new ConfidenceInterval(1.04, 1.03, 1.05)).integer()).isEmpty();
  }

  @Test
  void oneDistanceIsNoSlope() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> BlockSlope.of(List.of(List.of(new Point(1, 4), new Point(1, 5)))))
        .withMessageStartingWith("expected at least two distances, found [Point[");
  }
}
