package toystore.gatling.report;

/// The ratio of two durations.
///
/// @param resolves the resolution of this machine, at least 1: smaller ratios also occur between
///   two runs of the same store; 1 if unknown
record Ratio(Estimate estimate, double resolves) {
  static final String NO_DIFFERENCE = "no detectable difference";

  /// Rounds the resolution up to the printed digits.
  Ratio {
    resolves = Math.ceil(resolves * 100 - 1e-9) / 100;
  }

  Verdict verdict() {
    return isTooSmall() ? Verdict.NONE : Verdict.of(estimate, 1);
  }

  private boolean isTooSmall() {
    return Math.max(estimate.value(), 1 / estimate.value()) <= resolves && resolves > 1;
  }

  /// As `1.52× [1.40, 1.66]`.
  String text() {
    return Numbers.times(estimate);
  }

  /// As `longer`, or why there is no verdict.
  String conclusion() {
    return switch (verdict()) {
      case UP -> "longer";
      case DOWN -> "shorter";
      case NONE -> why();
    };
  }

  private String why() {
    if (!estimate.isKnown()) {
      return "not known from one repetition";
    }
    return Verdict.of(estimate, 1) == Verdict.NONE
        ? NO_DIFFERENCE
        : NO_DIFFERENCE
            + ": within the resolution of this machine, %s".formatted(Numbers.times(resolves));
  }

  /// The rest of a sentence: `takes 1.52× [1.40, 1.66] as long`, or that there is no detectable
  /// difference.
  String clause() {
    return switch (verdict()) {
      case UP, DOWN -> "takes " + text() + " as long";
      case NONE -> why() + " (" + text() + ")";
    };
  }
}
