package toystore.lab.stats;

import java.util.List;

/// The two starts of the baseline in one block, for one cell: the A/A comparison.
///
/// @param first mean latencies of the first start's repetitions, in any unit
/// @param second those of the second start, as many
public record BaselinePair(List<Double> first, List<Double> second) {
  public BaselinePair {
    if (first.isEmpty() || first.size() != second.size()) {
      throw new IllegalArgumentException(
          "expected as many repetitions in both starts, found " + first + " and " + second);
    }
    first = List.copyOf(first);
    second = List.copyOf(second);
  }

  /// The value of the A/A contrast in this block: log(first start ÷ second start).
  public double logRatio() {
    return Math.log(ConfidenceInterval.mean(first) / ConfidenceInterval.mean(second));
  }
}
