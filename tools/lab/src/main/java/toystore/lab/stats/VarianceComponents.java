package toystore.lab.stats;

import java.util.List;
import java.util.Optional;

/// Where the noise of a cell comes from: variances of log latency between blocks, between starts of
/// a block and between repetitions of a start. Blocks cancel in a ratio; the other two do not.
///
/// @param mean the mean log latency
public record VarianceComponents(double mean, double block, double start, double repetition) {

  /// Balanced nested analysis of variance by the method of moments (Box, Hunter and Hunter,
  /// Statistics for Experimenters, chapter 9). A negative component is 0.
  ///
  /// @return empty if there are fewer than two blocks or repetitions, or if blocks differ in the
  ///   number of repetitions
  public static Optional<VarianceComponents> fit(List<BaselinePair> pairs) {
    int blocks = pairs.size();
    int repetitions = pairs.isEmpty() ? 0 : pairs.getFirst().first().size();
    if (blocks < 2
        || repetitions < 2
        || pairs.stream().anyMatch(pair -> pair.first().size() != repetitions)) {
      return Optional.empty();
    }
    List<List<List<Double>>> logs =
        pairs.stream().map(pair -> List.of(logs(pair.first()), logs(pair.second()))).toList();
    List<List<Double>> starts = logs.stream().map(VarianceComponents::means).toList();
    List<Double> means = means(starts);
    // mean squares: each is the variance of its level and of all levels below
    double betweenRepetitions =
        logs.stream().flatMap(List::stream).mapToDouble(VarianceComponents::squares).sum()
            / (2 * blocks * (repetitions - 1));
    double betweenStarts =
        repetitions * starts.stream().mapToDouble(VarianceComponents::squares).sum() / blocks;
    double betweenBlocks = 2 * repetitions * squares(means) / (blocks - 1);
    return Optional.of(
        new VarianceComponents(
            ConfidenceInterval.mean(means),
            Math.max(0, (betweenBlocks - betweenStarts) / (2 * repetitions)),
            Math.max(0, (betweenStarts - betweenRepetitions) / repetitions),
            betweenRepetitions));
  }

  private static List<Double> logs(List<Double> latencies) {
    return latencies.stream().map(Math::log).toList();
  }

  private static List<Double> means(List<List<Double>> groups) {
    return groups.stream().map(ConfidenceInterval::mean).toList();
  }

  private static double squares(List<Double> values) {
    double mean = ConfidenceInterval.mean(values);
    return values.stream().mapToDouble(value -> Math.pow(value - mean, 2)).sum();
  }
}
