package toystore.lab.stats;

/// The percentiles that a number of calls supports. A percentile needs 100 calls beyond it: their
/// number varies by √100 from run to run, so the share beyond is known within ±20 % (two standard
/// errors).
///
/// | percentile | 50 | 90 | 99 | 99.9 |
/// |---|---|---|---|---|
/// | calls needed | 200 | 1,000 | 10,000 | 100,000 |
public final class LatencyPercentiles {
  private static final int CALLS_BEYOND = 100;
  private static final double ROUNDING = 1e-6; // 100 − 99.9 is not exactly 0.1

  private LatencyPercentiles() {}

  public static boolean isStated(long calls, double percentile) {
    return calls * (100 - percentile) / 100 >= CALLS_BEYOND - ROUNDING;
  }
}
