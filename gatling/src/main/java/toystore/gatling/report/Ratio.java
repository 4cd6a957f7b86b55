package toystore.gatling.report;

/// How many times as long one thing takes as another.
///
/// @param resolves the ratio, at least 1, below which this machine shows differences between two
///   runs of the same store; 1 where that is not known
record Ratio(Estimate estimate, double resolves) {
  static final String NO_DIFFERENCE = "no detectable difference";

  /// What the machine resolves is rounded up to what is printed of it.
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

  /// As `longer`, or why nothing is said.
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

  /// As `takes 1.52× [1.40, 1.66] as long`, or that no difference is seen, after a subject.
  String clause() {
    return switch (verdict()) {
      case UP, DOWN -> "takes " + text() + " as long";
      case NONE -> why() + " (" + text() + ")";
    };
  }
}
