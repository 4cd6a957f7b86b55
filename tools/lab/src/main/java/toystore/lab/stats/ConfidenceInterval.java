package toystore.lab.stats;

import java.util.Collection;
import java.util.Locale;
import java.util.function.DoubleUnaryOperator;
import org.apache.commons.statistics.distribution.TDistribution;

/// A figure with its confidence interval. From fewer than two observations it is unbounded.
public record ConfidenceInterval(double value, double low, double high) {
  /// The level of every interval that is not a planned contrast.
  public static final double LEVEL = 0.95;

  public ConfidenceInterval {
    if (Double.isNaN(value) || !(low <= high)) {
      throw new IllegalArgumentException(
          "expected a value and low <= high, found " + value + " [" + low + ", " + high + "]");
    }
  }

  /// A figure whose interval is not known.
  public static ConfidenceInterval of(double value) {
    return new ConfidenceInterval(value, Double.NEGATIVE_INFINITY, Double.POSITIVE_INFINITY);
  }

  /// The mean with Student's t interval of [#LEVEL].
  ///
  /// @param observations independent, one a block
  public static ConfidenceInterval ofMean(Collection<Double> observations) {
    return ofMean(observations, LEVEL);
  }

  /// The mean with Student's t interval.
  ///
  /// @param observations independent, one a block
  /// @throws IllegalArgumentException if there is no observation
  public static ConfidenceInterval ofMean(Collection<Double> observations, double level) {
    int count = observations.size();
    double mean = mean(observations);
    if (count < 2) {
      return of(mean);
    }
    double squares = observations.stream().mapToDouble(it -> Math.pow(it - mean, 2)).sum();
    double error = Math.sqrt(squares / (count - 1) / count);
    double reach =
        error * TDistribution.of(count - 1.0).inverseSurvivalProbability((1 - level) / 2);
    return new ConfidenceInterval(mean, mean - reach, mean + reach);
  }

  /// The geometric mean of ratios, with Student's t interval of [#LEVEL] on their logarithms.
  ///
  /// @param logRatios natural logarithms, one a block
  public static ConfidenceInterval ofLogRatios(Collection<Double> logRatios) {
    return ofLogRatios(logRatios, LEVEL);
  }

  /// The geometric mean of ratios, with Student's t interval on their logarithms.
  ///
  /// @param logRatios natural logarithms, one a block
  public static ConfidenceInterval ofLogRatios(Collection<Double> logRatios, double level) {
    return ofMean(logRatios, level).map(Math::exp);
  }

  static double mean(Collection<Double> values) {
    return values.stream()
        .mapToDouble(Double::doubleValue)
        .average()
        .orElseThrow(
            () -> new IllegalArgumentException("expected at least one observation, found none"));
  }

  public boolean isBounded() {
    return Double.isFinite(low) && Double.isFinite(high);
  }

  public boolean contains(double number) {
    return low <= number && number <= high;
  }

  /// Of a ratio: all of the interval lies between 1 ÷ (1 + margin) and 1 + margin.
  boolean isWithin(double margin) {
    return farthest() <= 1 + margin;
  }

  /// Of a ratio: the bound that is farther from 1, as a factor of at least 1.
  double farthest() {
    return Math.max(high, 1 / low);
  }

  /// @param rising a monotonically increasing function, so that bounds keep their order
  ConfidenceInterval map(DoubleUnaryOperator rising) {
    return new ConfidenceInterval(
        rising.applyAsDouble(value), rising.applyAsDouble(low), rising.applyAsDouble(high));
  }

  /// In another unit.
  ///
  /// @param unit above 0
  public ConfidenceInterval dividedBy(double unit) {
    return map(it -> it / unit);
  }

  /// As `1.52 [1.40, 1.66]`, without an interval that is unbounded or wider than a factor of 100.
  public String text(int digits) {
    return isBounded() && low >= value / 100 && high <= value * 100
        ? fixed(value, digits) + bounds(digits)
        : fixed(value, digits);
  }

  /// Of a ratio of durations: `1.52 times as long [1.40, 1.66]`. It has four decimals if two would
  /// print a bound as 1.00 that is not 1.
  public String timesAsLong() {
    if (!isBounded()) {
      return fixed(value, 2) + " times as long [interval unknown]";
    }
    double nearest = contains(1) ? 1 : Math.min(Math.abs(low - 1), Math.abs(high - 1));
    int digits = nearest < 0.005 ? 4 : 2;
    return fixed(value, digits) + " times as long" + bounds(digits);
  }

  private String bounds(int digits) {
    return " [" + fixed(low, digits) + ", " + fixed(high, digits) + "]";
  }

  private static String fixed(double number, int digits) {
    return String.format(Locale.ROOT, "%." + digits + "f", number);
  }
}
