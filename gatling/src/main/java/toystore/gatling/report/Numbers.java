package toystore.gatling.report;

import java.math.BigDecimal;
import java.math.MathContext;
import java.util.Locale;

/// Formats figures: three significant digits, thousands separators, units.
final class Numbers {
  static final String NONE = "—";
  static final String NO_INTERVAL = "interval unknown";
  private static final MathContext DIGITS = new MathContext(3);
  private static final int MOST_DECIMALS = 5;

  private Numbers() {}

  static String number(double value) {
    return Double.isFinite(value) ? format(value, decimals(value)) : NONE;
  }

  /// Without trailing zeros, for an axis.
  static String brief(double value) {
    return number(value).replaceFirst("(\\.\\d*?)0+$", "$1").replaceFirst("\\.$", "");
  }

  static String whole(long value) {
    return String.format(Locale.ROOT, "%,d", value);
  }

  /// As `3.21 ms`.
  static String millis(double millis) {
    return unit(number(millis), "ms");
  }

  /// As `3.21 ms [3.05, 3.37]`.
  static String millis(Estimate millis) {
    return millis(millis.value()) + " " + interval(millis);
  }

  /// As `1.52×`.
  static String times(double ratio) {
    int decimals = decimals(ratio);
    while (decimals < MOST_DECIMALS && seemsOne(ratio, decimals)) {
      decimals++;
    }
    return Double.isFinite(ratio) ? format(ratio, decimals) + "×" : NONE;
  }

  /// As `1.52× [1.40, 1.66]`. A bound other than 1 is never shown as 1: the ratio and its bounds
  /// get more digits instead.
  static String times(Estimate ratio) {
    if (!ratio.isKnown()) {
      return times(ratio.value()) + " " + interval(ratio);
    }
    int decimals = decimals(ratio.value());
    while (decimals < MOST_DECIMALS
        && (seemsOne(ratio.low(), decimals) || seemsOne(ratio.high(), decimals))) {
      decimals++;
    }
    return format(ratio.value(), decimals) + "× " + interval(ratio, decimals);
  }

  private static boolean seemsOne(double value, int decimals) {
    return value != 1 && Math.abs(value - 1) < 0.5 * Math.pow(10, -decimals);
  }

  /// As `12.3 %`.
  static String percent(double share) {
    return Double.isFinite(share) ? format(share * 100, 1) + " %" : NONE;
  }

  /// As `12.3 % [11.0, 13.6]`.
  static String percent(Estimate share) {
    return percent(share.value())
        + " "
        + (share.isKnown() ? interval(share.map(it -> it * 100), 1) : interval(share));
  }

  /// As `[3.05, 3.37]`, with the digits of the value.
  static String interval(Estimate estimate) {
    return estimate.isKnown()
        ? interval(estimate, decimals(estimate.value()))
        : "[" + NO_INTERVAL + "]";
  }

  private static String interval(Estimate estimate, int decimals) {
    return "[" + format(estimate.low(), decimals) + ", " + format(estimate.high(), decimals) + "]";
  }

  static String unit(String number, String unit) {
    return number.equals(NONE) ? NONE : number + " " + unit;
  }

  private static int decimals(double value) {
    if (value == 0 || !Double.isFinite(value)) {
      return 0;
    }
    BigDecimal rounded = new BigDecimal(value).round(DIGITS);
    int power = rounded.precision() - rounded.scale() - 1;
    return Math.clamp(DIGITS.getPrecision() - 1L - power, 0, MOST_DECIMALS);
  }

  private static String format(double value, int decimals) {
    String text = String.format(Locale.ROOT, "%,." + decimals + "f", value);
    return text.matches("-0(\\.0*)?") ? text.substring(1) : text;
  }
}
