package toystore.gatling.report;

/// The direction of a figure relative to the neutral value: 1 for a ratio, 0 for a difference.
enum Verdict {
  UP,
  DOWN,
  NONE;

  static Verdict of(Estimate estimate, double neutral) {
    return estimate.low() > neutral ? UP : estimate.high() < neutral ? DOWN : NONE;
  }
}
