package toystore.lab.stats;

import static toystore.common.RootLocale.format;

import java.util.Collection;
import java.util.List;

/// The answer to a contrast that was planned before the run: which of two cells takes longer.
/// Everything that was not planned has an interval, but no verdict.
public sealed interface ContrastVerdict {
  int MOST_CONTRASTS = 6;

  /// With fewer blocks there is no verdict.
  int FEWEST_BLOCKS = 6;

  /// With fewer blocks the margin of [Equivalent] is 20 %, else 10 %.
  int BLOCKS_FOR_SMALL_MARGIN = 10;

  enum Direction {
    LONGER,
    SHORTER
  }

  /// The interval excludes 1. It may still be small, so the text has its figure.
  ///
  /// @param drift the largest factor that the drift of its cells allows; 1: none of them drifts
  record Different(ConfidenceInterval ratio, double drift) implements ContrastVerdict {
    public Direction direction() {
      return ratio.low() > 1 ? Direction.LONGER : Direction.SHORTER;
    }

    /// What follows the ratio in a sentence; empty without drift.
    public String remark() {
      return drift == 1 ? "" : format(", of which drift explains at most a factor of %.2f", drift);
    }
  }

  /// All of the interval lies within the margin. The interval is wider than the two one-sided tests
  /// of equivalence need (D. J. Schuirmann, 1987), so this errs on the side of [CannotTell].
  ///
  /// @param margin 0.10 or 0.20
  record Equivalent(double margin) implements ContrastVerdict {}

  /// @param width the largest difference that the interval allows: 0.23 for [0.95, 1.23]
  record CannotTell(double width) implements ContrastVerdict {}

  record NoVerdict(String reason) implements ContrastVerdict {}

  /// The ratio with its Bonferroni interval.
  ///
  /// @param logRatios log(A ÷ B), one a block
  /// @param contrasts the number of contrasts in the plan
  static ConfidenceInterval interval(Collection<Double> logRatios, int contrasts) {
    if (contrasts < 1 || contrasts > MOST_CONTRASTS) {
      throw new IllegalArgumentException(
          "expected 1 to " + MOST_CONTRASTS + " contrasts, found " + contrasts);
    }
    double level = 1 - (1 - ConfidenceInterval.LEVEL) / contrasts;
    return ConfidenceInterval.ofLogRatios(logRatios, level);
  }

  /// If cells drift, there is a verdict only if it holds for the interval widened by the largest
  /// drift that the data allow.
  ///
  /// @param drift of the kinds of A and of B, in their subjects
  static ContrastVerdict of(
      Collection<Double> logRatios, int contrasts, Collection<DriftTest> drift) {
    int blocks = logRatios.size();
    if (blocks < FEWEST_BLOCKS) {
      return new NoVerdict("expected at least " + FEWEST_BLOCKS + " blocks, found " + blocks);
    }
    List<DriftTest> drifting =
        drift.stream().filter(it -> it.result() == DriftTest.Result.DRIFTING).toList();
    double factor =
        drifting.stream()
            .mapToDouble(it -> it.lastOverFirst().farthest())
            .reduce(1, (a, b) -> a * b);
    ContrastVerdict verdict = of(interval(logRatios, contrasts), margin(blocks), factor);
    return verdict instanceof CannotTell && !drifting.isEmpty()
        ? new NoVerdict(drifting.getFirst().text())
        : verdict;
  }

  /// The margin of [Equivalent], as a share.
  static double margin(int blocks) {
    return blocks < BLOCKS_FOR_SMALL_MARGIN ? 0.20 : 0.10;
  }

  private static ContrastVerdict of(ConfidenceInterval ratio, double margin, double drift) {
    var widened = new ConfidenceInterval(ratio.value(), ratio.low() / drift, ratio.high() * drift);
    if (!widened.contains(1)) {
      return new Different(ratio, drift);
    }
    return widened.isWithin(margin)
        ? new Equivalent(margin)
        : new CannotTell(widened.farthest() - 1);
  }

  /// The rest of a sentence whose subject is A: `takes 1.52 times as long [1.40, 1.66]`.
  default String text() {
    return switch (this) {
      case Different it -> "takes " + it.ratio().timesAsLong() + it.remark();
      case Equivalent(double margin) -> format("no difference (within ±%.0f %%)", margin * 100);
      case CannotTell(double width) when width > 1 ->
          format("cannot tell within a factor of %.1f", width + 1);
      case CannotTell(double width) ->
          format("cannot tell within ±%.0f %%", Math.ceil(width * 100 - 1e-9));
      case NoVerdict(String reason) -> "no verdict: " + reason;
    };
  }
}
