package toystore.gatling.report;

import org.jspecify.annotations.Nullable;

/// What an id stands for.
///
/// @param text with unit, and with its interval where it has one
/// @param plain without the interval
/// @param value for finding the largest; NaN for text
/// @param verdict which way it lies; null where it has none
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

  /// @param neutral what would mean nothing
  static Figure of(String text, Estimate estimate, double neutral) {
    return new Figure(text, beforeInterval(text), estimate.value(), Verdict.of(estimate, neutral));
  }

  private static String beforeInterval(String text) {
    int bracket = text.indexOf(" [");
    return bracket < 0 ? text : text.substring(0, bracket);
  }
}
