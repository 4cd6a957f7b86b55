package toystore.lab.stats;

import java.util.Collection;
import java.util.List;
import java.util.Locale;

/// Whether calls of a kind became faster or slower while their starts were measured.
///
/// @param lastOverFirst latency of the last ÷ the first repetition, with a 95 % interval over
///   starts
public record DriftTest(ConfidenceInterval lastOverFirst) {
  private static final double STEADY_WITHIN = 0.05;

  public enum Result {
    /// The interval lies within ±5 %, even if it excludes 1: so small a drift changes no answer.
    STEADY,
    /// The interval excludes 1. Such cells get a verdict only if their drift cannot change it.
    DRIFTING,
    /// The starts differ too much to tell.
    UNRESOLVED
  }

  /// The drift of one start: log(last ÷ first repetition), averaged over the cells of a kind.
  ///
  /// @param cells the mean latencies of a cell's repetitions, in the order of time
  public static double ofStart(Collection<List<Double>> cells) {
    return ConfidenceInterval.mean(
        cells.stream().map(cell -> Math.log(cell.getLast() / cell.getFirst())).toList());
  }

  /// @param starts one [#ofStart] a start
  public static DriftTest of(Collection<Double> starts) {
    return new DriftTest(ConfidenceInterval.ofLogRatios(starts));
  }

  public Result result() {
    if (lastOverFirst.isWithin(STEADY_WITHIN)) {
      return Result.STEADY;
    }
    return lastOverFirst.contains(1) ? Result.UNRESOLVED : Result.DRIFTING;
  }

  /// As `drifting: the last repetition takes 0.71 times as long [0.65, 0.78] as the first`.
  public String text() {
    String result = result().name().toLowerCase(Locale.ROOT);
    return result + ": the last repetition takes " + lastOverFirst.timesAsLong() + " as the first";
  }
}
