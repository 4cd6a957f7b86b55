package toystore.lab.stats;

import java.util.List;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/// Where the noise of a cell comes from: variances of log latency between blocks, between starts of
/// a block and between repetitions of a start. Blocks cancel in a ratio; the other two do not.
///
/// @param mean the mean log latency
public record VarianceComponents(double mean, double block, double start, double repetition) {

  /// Balanced nested analysis of variance by the method of moments (Box, Hunter and Hunter,
  /// Statistics for Experimenters, chapter 9). A negative component is 0.
  ///
  /// @throws IllegalArgumentException if there are fewer than two blocks or repetitions, or if
  ///   blocks differ in the number of repetitions
  public static VarianceComponents fit(List<BaselinePair> pairs) {
    int blocks = pairs.size();
    int repetitions = pairs.isEmpty() ? 0 : pairs.getFirst().first().size();
    if (blocks < 2
        || repetitions < 2
        || pairs.stream().anyMatch(pair -> pair.first().size() != repetitions)) {
      throw new IllegalArgumentException(
          "expected at least two blocks and two repetitions, equally many in each, found " + pairs);
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
    return new VarianceComponents(
        ConfidenceInterval.mean(means),
        Math.max(0, (betweenBlocks - betweenStarts) / (2 * repetitions)),
        Math.max(0, (betweenStarts - betweenRepetitions) / repetitions),
        betweenRepetitions);
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

  /// Draws the baseline of a run: each level is normal on logarithms.
  public List<BaselinePair> simulate(int blocks, int repetitions, RandomGenerator random) {
    return Stream.generate(
            () -> {
              double blockMean = random.nextGaussian(mean, Math.sqrt(block));
              return new BaselinePair(
                  start(blockMean, repetitions, random), start(blockMean, repetitions, random));
            })
        .limit(blocks)
        .toList();
  }

  private List<Double> start(double blockMean, int repetitions, RandomGenerator random) {
    double startMean = random.nextGaussian(blockMean, Math.sqrt(start));
    return Stream.generate(() -> Math.exp(random.nextGaussian(startMean, Math.sqrt(repetition))))
        .limit(repetitions)
        .toList();
  }

  /// The share of simulated runs whose 95 % A/A interval excludes 1. It should be near 5 %. This
  /// checks the arithmetic from repetition to interval, not that real noise is normal; for that,
  /// see the run's own A/A ratios.
  public double alarmRate(int runs, int blocks, int repetitions, RandomGenerator random) {
    long alarms =
        IntStream.range(0, runs)
            .mapToObj(run -> simulate(blocks, repetitions, random))
            .map(pairs -> pairs.stream().map(BaselinePair::logRatio).toList())
            .filter(logRatios -> !ContrastVerdict.interval(logRatios, 1).contains(1))
            .count();
    return (double) alarms / runs;
  }
}
