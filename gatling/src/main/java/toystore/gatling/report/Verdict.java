package toystore.gatling.report;

/// Which way a figure lies of the value that would mean nothing: 1 for a ratio, 0 for a difference.
enum Verdict {
  UP,
  DOWN,
  NONE;

  static Verdict of(Estimate estimate, double neutral) {
    return estimate.low() > neutral ? UP : estimate.high() < neutral ? DOWN : NONE;
  }
}
