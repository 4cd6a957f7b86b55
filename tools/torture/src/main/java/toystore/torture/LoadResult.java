package toystore.torture;

import java.time.Duration;
import java.util.Locale;
import org.HdrHistogram.Histogram;

/// The responses to [LoadClients] and their latencies, from when a client was due to send until the
/// whole response had arrived. One thread.
final class LoadResult {
  private static final long LONGEST_NANOS = 60_000_000_000L;

  final Histogram done = new Histogram(LONGEST_NANOS, 3);
  final Histogram refused = new Histogram(LONGEST_NANOS, 3);
  long bought;
  long unknown;
  long unknownBuys;

  /// Connections closed before a response began. An overloaded store may close a connection whose
  /// request it has not read; such a request was certainly not executed.
  long closed;

  /// Requests without a complete response: the connection was closed within the response, or the
  /// response never came.
  long unanswered;

  /// How the first of these connections was closed; empty if there was only no response.
  String firstFailure = "";

  /// The number of responses that an overloaded store must not send, and the first of them.
  long wrong;

  String firstWrong = "";
  long nanos;

  void count(int status, boolean retryAfter, boolean buy, long took, String text) {
    if (status == 200) {
      done.recordValue(Math.min(took, LONGEST_NANOS));
      bought += buy ? 1 : 0;
    } else if (status == 503 && retryAfter) {
      refused.recordValue(Math.min(took, LONGEST_NANOS));
    } else if (status == 504) {
      unknown++;
      unknownBuys += buy ? 1 : 0;
    } else if (wrong++ == 0) {
      firstWrong = text;
    }
  }

  double perSecond(long count) {
    return count / (nanos / 1e9);
  }

  /// The share of requests that were answered with 200 within a time.
  double served(Duration within) {
    return (double) done.getCountBetweenValues(0, within.toNanos())
        / (answers() + wrong + closed + unanswered);
  }

  long answers() {
    return done.getTotalCount() + refused.getTotalCount() + unknown;
  }

  /// Successful responses per second.
  double goodput() {
    return perSecond(done.getTotalCount());
  }

  static String head() {
    return String.format(
        Locale.ROOT,
        "%11s %9s %8s %5s %5s | %28s | %28s",
        "connections",
        "200/s",
        "503/s",
        "504",
        "none",
        "200: p50   p99    max ms",
        "503: p50   p99    max ms");
  }

  String line(int connections) {
    return String.format(
        Locale.ROOT,
        "%,11d %,9.0f %,8.0f %5d %5d | %s | %s",
        connections,
        goodput(),
        perSecond(refused.getTotalCount()),
        unknown,
        closed + unanswered,
        times(done),
        times(refused));
  }

  private static String times(Histogram times) {
    return times.getTotalCount() == 0
        ? String.format(Locale.ROOT, "%28s", "-")
        : String.format(
            Locale.ROOT,
            "%10.1f %8.1f %8.1f",
            times.getValueAtPercentile(50) / 1e6,
            times.getValueAtPercentile(99) / 1e6,
            times.getMaxValue() / 1e6);
  }
}
