package toystore.gatling.report;

import org.jspecify.annotations.Nullable;

/// The value of an id.
///
/// @param text with unit, and with the interval if there is one
/// @param plain without the interval
/// @param value for finding the largest; NaN if it is text
/// @param verdict its direction; null if it has none
record ReportedValue(String text, String plain, double value, @Nullable Verdict verdict) {

  static ReportedValue text(String text) {
    return new ReportedValue(text, text, Double.NaN, null);
  }

  static ReportedValue number(String text, double value) {
    return new ReportedValue(text, text, value, null);
  }

  static ReportedValue of(Ratio ratio) {
    double value = ratio.estimate().value();
    return new ReportedValue(ratio.text(), beforeInterval(ratio.text()), value, ratio.verdict());
  }

  /// @param neutral the value that means no effect
  static ReportedValue of(String text, Estimate estimate, double neutral) {
    return new ReportedValue(
        text, beforeInterval(text), estimate.value(), Verdict.of(estimate, neutral));
  }

  private static String beforeInterval(String text) {
    int bracket = text.indexOf(" [");
    return bracket < 0 ? text : text.substring(0, bracket);
  }
}
