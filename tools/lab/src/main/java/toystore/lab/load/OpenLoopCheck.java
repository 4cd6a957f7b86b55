package toystore.lab.load;

import static toystore.common.RootLocale.format;

import java.util.List;

/// Whether the latencies of an open-loop window mean anything.
///
/// The check needs windows of about 2,000 calls. Simulated queues with one server (M/M/1) are
/// called overloaded in this share of windows:
///
/// | load | 80 % | 90 % | 105 % | 110 % |
/// |---|---|---|---|---|
/// | 500 calls | 4 % | 24 % | 84 % | 94 % |
/// | 2,000 calls | 0 % | 4 % | 91 % | 99 % |
/// | 5,000 calls | 0 % | 2 % | 96 % | 100 % |
///
/// @param asked calls that the drawn schedule has in the window, not rate × seconds: from 2,500
///   calls, a Poisson schedule is 2 % short of that in one of six windows
/// @param completed calls answered without error in the window
/// @param backlog outstanding calls, sampled at equal distances over the window
record OpenLoopCheck(
    long asked,
    long completed,
    List<Integer> backlog,
    double medianLatencyMicros,
    double lateP99Micros) {
  private static final double COMPLETED_SHARE = 0.98;
  private static final double LATE_SHARE = 0.10;

  /// Smaller backlogs come and go by chance.
  private static final int SMALL_BACKLOG = 20;

  /// How far the end of a backlog may lie above its mean: halfway between a steady backlog, whose
  /// end is its mean, and one that grows from nothing, whose end is twice its mean.
  private static final double BACKLOG_END_OVER_MEAN = 1.5;

  private static final String VALID = "valid";

  /// `valid`; or `void`: the load client did not keep pace, so the store was not asked what the
  /// plan says; or `overloaded`: the store did not, so latencies depend on the length of the
  /// window. Both with the reason. `void` comes first, because a client that is late also completes
  /// too little.
  String verdict() {
    double lateLimit = LATE_SHARE * medianLatencyMicros;
    if (lateP99Micros > lateLimit) {
      return format(
          "void: sends were late: p99 of lateness is %.0f µs, expected at most %.0f µs (10 %% of the median latency)",
          lateP99Micros, lateLimit);
    }
    if (completed < COMPLETED_SHARE * asked) {
      return format(
          "overloaded: completed %d of %d calls, expected at least 98 %%", completed, asked);
    }
    return backlog.size() < 2 ? VALID : ofBacklog();
  }

  // the end is that of the least-squares line, as the last sample alone is chance; it lies above
  // the mean only if the trend is positive
  private String ofBacklog() {
    double mean = backlog.stream().mapToInt(Integer::intValue).average().orElse(0);
    double middle = (backlog.size() - 1) / 2.0;
    double products = 0;
    double squares = 0;
    for (int i = 0; i < backlog.size(); i++) {
      products += (i - middle) * (backlog.get(i) - mean);
      squares += (i - middle) * (i - middle);
    }
    double end = mean + products / squares * middle;
    double limit = Math.max(SMALL_BACKLOG, BACKLOG_END_OVER_MEAN * mean);
    return end <= limit
        ? VALID
        : format(
            "overloaded: backlog grew to %.0f calls, expected at most %.0f (1.5 times its mean, or 20)",
            end, limit);
  }
}
