package toystore.torture;

import static org.assertj.core.api.Assertions.assertThat;

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
  long unknownBuys;

  /// Connections closed before a response began. An overloaded store may close a connection whose
  /// request it has not read; such a request was certainly not executed.
  long closed;

  /// Requests without a complete response: the connection was closed within the response, or the
  /// response never came.
  long unanswered;

  /// How the first of these connections was closed; empty if there was only no response.
  String firstFailure = "";

  long nanos;
  private long unknown;

  /// The number of responses that an overloaded store must not send, and the first of them.
  private long wrong;

  private String firstWrong = "";

  /// Counts a response.
  ///
  /// @param buy whether the request was a buy
  void count(String response, boolean buy, long took) {
    int status = Integer.parseInt(response, 9, 12, 10);
    if (status == 200) {
      done.recordValue(Math.min(took, LONGEST_NANOS));
      bought += buy ? 1 : 0;
    } else if (status == 503 && response.contains("\r\nRetry-After: ")) {
      refused.recordValue(Math.min(took, LONGEST_NANOS));
    } else if (status == 504) {
      unknown++;
      unknownBuys += buy ? 1 : 0;
    } else if (wrong++ == 0) {
      firstWrong = response;
    }
  }

  /// Checks that every request was answered, or its connection was closed before it was read.
  void check() {
    assertThat(wrong).as(firstWrong).isZero();
    assertThat(unanswered)
        .as("requests without a response; first failure: %s", firstFailure)
        .isZero();
    assertThat(closed)
        .as("connections closed before the request was read, of %,d requests", answers() + closed)
        .isLessThanOrEqualTo(answers());
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
    return done.getTotalCount() / (nanos / 1e9);
  }

  @Override
  public String toString() {
    return String.format(
        Locale.ROOT,
        "%,.0f/s answered 200 (%s), %,.0f/s answered 503 (%s), %d answered 504, %d closed",
        goodput(),
        times(done),
        refused.getTotalCount() / (nanos / 1e9),
        times(refused),
        unknown,
        closed);
  }

  private static String times(Histogram times) {
    return String.format(
        Locale.ROOT,
        "p50 %.1f, p99 %.1f, max %.1f ms",
        times.getValueAtPercentile(50) / 1e6,
        times.getValueAtPercentile(99) / 1e6,
        times.getMaxValue() / 1e6);
  }
}
