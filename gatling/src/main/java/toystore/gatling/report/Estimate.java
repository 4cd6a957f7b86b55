package toystore.gatling.report;

import java.util.Collection;
import java.util.List;
import java.util.function.DoubleUnaryOperator;
import java.util.stream.IntStream;
import org.apache.commons.statistics.distribution.TDistribution;

/// A figure with its 95 % interval. With one observation the interval is unbounded.
record Estimate(double value, double low, double high) {
  private static final double TWO_SIDED = 0.975;

  /// The mean with Student's t interval; observations must be independent.
  ///
  /// @throws IllegalArgumentException if there is no observation
  static Estimate ofMean(Collection<Double> observations) {
    double mean = mean(observations);
    int count = observations.size();
    return around(mean, Math.sqrt(variance(observations, mean) / count), count - 1.0);
  }

  /// The geometric mean of ratios of single repetitions, with Student's t interval on their
  /// logarithms.
  static Estimate ofRatios(Collection<Double> ratios) {
    return ofMean(ratios.stream().map(Math::log).toList()).map(Math::exp);
  }

  /// The ratio of two geometric means of unpaired observations: Welch's interval on logarithms (B.
  /// L. Welch, The generalization of "Student's" problem, Biometrika 34, 1947).
  static Estimate ofUnpaired(Collection<Double> above, Collection<Double> below) {
    Collection<Double> a = above.stream().map(Math::log).toList();
    Collection<Double> b = below.stream().map(Math::log).toList();
    double difference = mean(a) - mean(b);
    if (a.size() < 2 || b.size() < 2) {
      return around(difference, Double.NaN, 0).map(Math::exp);
    }
    double va = variance(a, mean(a)) / a.size();
    double vb = variance(b, mean(b)) / b.size();
    double freedom =
        va + vb == 0
            ? a.size() + b.size() - 2
            : Math.pow(va + vb, 2) / (va * va / (a.size() - 1) + vb * vb / (b.size() - 1));
    return around(difference, Math.sqrt(va + vb), freedom).map(Math::exp);
  }

  /// The mean of one figure ÷ the mean of another, both from the same repetitions, with Student's t
  /// on the residuals (a linearised ratio estimator). If the interval of the divisor contains 0,
  /// the result is unbounded.
  static Estimate ofQuotient(List<Double> above, List<Double> below) {
    Estimate line = ofMean(below);
    double quotient = mean(above) / line.value();
    if (line.contains(0)) {
      return around(quotient, Double.NaN, 0);
    }
    return ofMean(
        IntStream.range(0, above.size())
            .mapToObj(i -> quotient + (above.get(i) - quotient * below.get(i)) / line.value())
            .toList());
  }

  private static Estimate around(double value, double error, double freedom) {
    if (freedom <= 0) {
      return new Estimate(value, Double.NEGATIVE_INFINITY, Double.POSITIVE_INFINITY);
    }
    double reach = error * TDistribution.of(freedom).inverseCumulativeProbability(TWO_SIDED);
    return new Estimate(value, value - reach, value + reach);
  }

  private static double mean(Collection<Double> values) {
    return values.stream()
        .mapToDouble(Double::doubleValue)
        .average()
        .orElseThrow(
            () -> new IllegalArgumentException("expected at least one observation, found none"));
  }

  private static double variance(Collection<Double> values, double mean) {
    double squares = values.stream().mapToDouble(value -> Math.pow(value - mean, 2)).sum();
    return values.size() < 2 ? Double.NaN : squares / (values.size() - 1);
  }

  boolean isKnown() {
    return Double.isFinite(low) && Double.isFinite(high);
  }

  /// For a figure that cannot be negative, such as a latency: a lower bound below 0 becomes 0.
  Estimate notNegative() {
    return isKnown() && low < 0 ? new Estimate(value, 0, high) : this;
  }

  boolean contains(double value) {
    return low <= value && value <= high;
  }

  /// @param rising a monotonically increasing function, so that bounds keep their order
  Estimate map(DoubleUnaryOperator rising) {
    return new Estimate(
        rising.applyAsDouble(value), rising.applyAsDouble(low), rising.applyAsDouble(high));
  }
}
