package toystore.gatling.report;

import org.jspecify.annotations.Nullable;

/// The value of an id.
///
/// @param text with unit, and with the interval if there is one
/// @param plain without the interval
/// @param value for finding the largest; NaN if it is text
/// @param verdict its direction; null if it has none
record Figure(String text, String plain, double value, @Nullable Verdict verdict) {

  static Figure text(String text) {
    return new Figure(text, text, Double.NaN, null);
  }

  static Figure number(String text, double value) {
    return new Figure(text, text, value, null);
  }

  static Figure of(Ratio ratio) {
    double value = ratio.estimate().value();
    return new Figure(ratio.text(), beforeInterval(ratio.text()), value, ratio.verdict());
  }

  /// @param neutral the value that means no effect
  static Figure of(String text, Estimate estimate, double neutral) {
    return new Figure(text, beforeInterval(text), estimate.value(), Verdict.of(estimate, neutral));
  }

  private static String beforeInterval(String text) {
    int bracket = text.indexOf(" [");
    return bracket < 0 ? text : text.substring(0, bracket);
  }
}
