package toystore.lab.chart;

import static toystore.common.RootLocale.format;

import java.math.BigDecimal;
import java.math.MathContext;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.stream.DoubleStream;
import toystore.lab.stats.ConfidenceInterval;

/// A range of values on an axis, linear or logarithmic.
record Scale(boolean logarithmic, double low, double high) {
  private static final MathContext DIGITS = new MathContext(3);
  // a tick whose distance from the end is rounding error lies on the axis
  private static final double ROUNDING = 1e-9;

  Scale {
    if (!(low < high) || !Double.isFinite(high - low) || (logarithmic && low <= 0)) {
      throw new IllegalArgumentException(
          format(
              "expected an ascending %s range, got [%s, %s]",
              logarithmic ? "positive" : "finite", low, high));
    }
  }

  /// A linear scale from zero, up to a round number.
  static Scale fromZero(Collection<ConfidenceInterval> bars) {
    double low = bars.stream().mapToDouble(ConfidenceInterval::value).min().orElse(0);
    double highest = bars.stream().mapToDouble(ConfidenceInterval::value).max().orElse(1);
    double bound =
        bars.stream()
            .mapToDouble(ConfidenceInterval::high)
            .filter(Double::isFinite)
            .max()
            .orElse(highest);
    // a very wide interval leaves the axis, because it would compress everything else
    double high = Math.max(highest, Math.min(bound, 1.5 * highest));
    double from = Math.min(0, low);
    double to = high > from ? high : from + 1;
    double step = step(to - from, 5);
    return new Scale(false, Math.floor(from / step) * step, Math.ceil(to / step - ROUNDING) * step);
  }

  /// A logarithmic scale around all values. An interval may widen it on either side by the values'
  /// own range, and by a factor of 2.
  static Scale logarithmic(Collection<ConfidenceInterval> bars) {
    double lowest = bars.stream().mapToDouble(ConfidenceInterval::value).min().orElse(1);
    double highest = bars.stream().mapToDouble(ConfidenceInterval::value).max().orElse(1);
    if (lowest <= 0) {
      throw new IllegalArgumentException(
          "expected values above 0 on a logarithmic axis, got " + lowest);
    }
    double allowed = Math.max(2, highest / lowest);
    double low =
        bars.stream()
            .mapToDouble(ConfidenceInterval::low)
            .filter(it -> it > 0)
            .min()
            .orElse(lowest);
    double high =
        bars.stream()
            .mapToDouble(ConfidenceInterval::high)
            .filter(Double::isFinite)
            .max()
            .orElse(highest);
    return spread(
        Math.max(Math.min(low, lowest), lowest / allowed),
        Math.min(Math.max(high, highest), highest * allowed));
  }

  private static Scale spread(double low, double high) {
    double margin = Math.max(Math.pow(high / low, 0.05), high / low < 1.02 ? 1.2 : 1.01);
    return new Scale(true, low / margin, high * margin);
  }

  /// A scale for x: exactly the range of the values.
  static Scale over(boolean logarithmic, Collection<Double> values) {
    double low = values.stream().mapToDouble(it -> it).min().orElse(1);
    double high = values.stream().mapToDouble(it -> it).max().orElse(2);
    if (low < high) {
      return new Scale(logarithmic, low, high);
    }
    return logarithmic ? new Scale(true, low / 2, high * 2) : new Scale(false, low - 1, high + 1);
  }

  /// Where a value lies: 0 at the low end, 1 at the high end, beyond them outside.
  double share(double value) {
    return (scaled(value) - scaled(low)) / (scaled(high) - scaled(low));
  }

  boolean contains(double value) {
    double share = share(value);
    return share >= -ROUNDING && share <= 1 + ROUNDING;
  }

  private double scaled(double value) {
    return logarithmic ? Math.log(Math.max(value, 0)) : value;
  }

  /// Round values within the scale, about as many as given. A logarithmic scale has 1, 2, 5 or
  /// powers of ten, but equal steps if it is too short for them.
  List<Double> ticks(int most) {
    if (!logarithmic || powers(new int[] {1, 2, 3, 5, 7}, 1).size() < 3) {
      return steps(most);
    }
    int[][] digits = {{1, 2, 5}, {1, 3}, {1}};
    if (powers(digits[0], 1).size() < 3) {
      digits = new int[][] {{1, 2, 3, 5, 7}, {1, 2, 5}};
    }
    for (int[] candidate : digits) {
      List<Double> ticks = powers(candidate, 1);
      if (ticks.size() <= most) {
        return ticks;
      }
    }
    return powers(new int[] {1}, Math.ceilDiv(powers(new int[] {1}, 1).size(), most));
  }

  private List<Double> powers(int[] digits, int everyPower) {
    var ticks = new ArrayList<Double>();
    int first = (int) Math.floor(Math.log10(low));
    for (int power = first; power <= Math.log10(high) + ROUNDING; power++) {
      if (Math.floorMod(power, everyPower) == 0) {
        for (int digit : digits) {
          double tick = Double.parseDouble(digit + "e" + power);
          if (contains(tick)) {
            ticks.add(tick);
          }
        }
      }
    }
    return ticks;
  }

  private List<Double> steps(int most) {
    double step = step(high - low, most);
    var ticks = new ArrayList<Double>();
    for (double i = Math.ceil(low / step - ROUNDING); contains(i * step); i++) {
      ticks.add(new BigDecimal(i * step).round(new MathContext(12)).doubleValue() + 0.0);
    }
    return ticks;
  }

  // 1, 2 or 5 times a power of ten, so that at most this many steps fit
  private static double step(double range, int most) {
    double rough = range / most;
    double power = Math.pow(10, Math.floor(Math.log10(rough)));
    double digit = rough / power - ROUNDING;
    return power * DoubleStream.of(1, 2, 5).filter(it -> digit <= it).findFirst().orElse(10);
  }

  /// As `1.52 [1.4, 1.66]`.
  static String label(ConfidenceInterval figure) {
    String value = label(figure.value());
    return figure.isBounded()
        ? value + " [" + label(figure.low()) + ", " + label(figure.high()) + "]"
        : value;
  }

  private static String infinite(double value) {
    return value > 0 ? "∞" : "-∞";
  }

  /// At most three digits, or whole: as `0.25`, `1,500`, `1e9`.
  static String label(double value) {
    if (!Double.isFinite(value)) {
      return Double.isNaN(value) ? "—" : infinite(value);
    }
    double size = Math.abs(value);
    if (size != 0 && (size < 1e-4 || size >= 1e6)) {
      BigDecimal rounded = new BigDecimal(value).round(DIGITS).stripTrailingZeros();
      int power = rounded.precision() - rounded.scale() - 1;
      return rounded.scaleByPowerOfTen(-power).toPlainString() + "e" + power;
    }
    var rounded = new BigDecimal(value);
    rounded = size < 1000 ? rounded.round(DIGITS) : new BigDecimal(Math.rint(value));
    rounded = rounded.stripTrailingZeros();
    return String.format(Locale.ROOT, "%,." + Math.max(0, rounded.scale()) + "f", rounded);
  }
}
