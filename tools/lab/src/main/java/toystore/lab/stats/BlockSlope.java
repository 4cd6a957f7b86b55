package toystore.lab.stats;

import java.util.Collection;
import java.util.List;
import java.util.OptionalInt;

/// The number of round trips that a call waits for: the least-squares slope of its mean latency
/// over a known distance, on milliseconds, one slope a block.
///
/// @param roundTrips with a 95 % interval, Student's t over blocks
public record BlockSlope(ConfidenceInterval roundTrips) {
  /// A cell of a block. The distance is the one that was added, not one that was measured: error in
  /// it would flatten the slope.
  public record Point(double distanceMillis, double latencyMillis) {}

  /// @throws IllegalArgumentException if a block has fewer than two distances
  public static BlockSlope of(Collection<List<Point>> blocks) {
    return new BlockSlope(
        ConfidenceInterval.ofMean(
            blocks.stream().map(BlockSlope::slope).toList(), ConfidenceInterval.LEVEL));
  }

  static double slope(List<Point> points) {
    double meanX = points.stream().mapToDouble(Point::distanceMillis).average().orElse(0);
    double meanY = points.stream().mapToDouble(Point::latencyMillis).average().orElse(0);
    double xx = 0;
    double xy = 0;
    for (Point point : points) {
      xx += Math.pow(point.distanceMillis() - meanX, 2);
      xy += (point.distanceMillis() - meanX) * (point.latencyMillis() - meanY);
    }
    if (xx == 0) {
      throw new IllegalArgumentException("expected at least two distances, found " + points);
    }
    return xy / xx;
  }

  /// The integer in the interval, if there is exactly one.
  public OptionalInt integer() {
    double lowest = Math.ceil(roundTrips.low());
    return roundTrips.isBounded() && lowest == Math.floor(roundTrips.high())
        ? OptionalInt.of((int) lowest)
        : OptionalInt.empty();
  }
}
