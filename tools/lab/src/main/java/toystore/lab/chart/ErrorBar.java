package toystore.lab.chart;

import java.util.Locale;

/// A value and its interval.
///
/// @param low NaN if the interval is unknown; may be infinite
/// @param high NaN if the interval is unknown; may be infinite
public record ErrorBar(double value, double low, double high) {
  public ErrorBar {
    if (!Double.isFinite(value) || low > value || high < value) {
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "expected a finite value within its interval, got %s [%s, %s]",
              value,
              low,
              high));
    }
  }

  /// A value without an interval.
  public static ErrorBar of(double value) {
    return new ErrorBar(value, Double.NaN, Double.NaN);
  }

  boolean isKnown() {
    return !Double.isNaN(low) && !Double.isNaN(high);
  }

  /// As `1.52 [1.4, 1.66]`.
  @Override
  public String toString() {
    String text = Scale.label(value);
    return isKnown() ? text + " [" + Scale.label(low) + ", " + Scale.label(high) + "]" : text;
  }
}
