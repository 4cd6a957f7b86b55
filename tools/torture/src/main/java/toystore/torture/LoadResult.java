package toystore.torture;

import static org.assertj.core.api.Assertions.assertThat;
import static toystore.common.RootLocale.format;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;
import toystore.clients.load.CallRecorder;
import toystore.clients.load.Verdict;

/// The responses to [LoadClients] and their latencies in µs, from when a client was due to send
/// until the whole response had arrived. One thread.
final class LoadResult {
  /// Correct: 200; refused: 503; wrong: a response that an overloaded store must not send, or none,
  /// because the connection was closed within the response, or the response never came.
  final CallRecorder calls = new CallRecorder();

  long bought;
  long unknownBuys;

  /// Connections closed before a response began. An overloaded store may close a connection whose
  /// request it has not read; such a request was certainly not executed.
  long closed;

  long nanos;
  private long unknown;

  /// Counts a response.
  ///
  /// @param buy whether the request was a buy
  void count(String response, boolean buy, long took) {
    String status = response.substring(9, 12);
    if (status.equals("504")) {
      unknown++;
      unknownBuys += buy ? 1 : 0;
    } else if (status.equals("503") && response.contains("\r\nRetry-After: ")) {
      calls.add(new Verdict.Refused(status, response), took);
    } else if (status.equals("200")) {
      calls.add(new Verdict.Correct(), took);
      bought += buy ? 1 : 0;
    } else {
      calls.add(new Verdict.Wrong(status, response), took);
    }
  }

  /// Checks that every request was answered, or its connection was closed before it was read.
  void check() {
    assertThat(calls.wrong()).as("wrong responses, and requests without a response").isEmpty();
    assertThat(closed)
        .as("connections closed before the request was read, of %,d requests", answers() + closed)
        .isLessThanOrEqualTo(answers());
  }

  /// The share of requests that were answered with 200 within a time.
  double served(Duration within) {
    long micros = TimeUnit.NANOSECONDS.toMicros(within.toNanos());
    return (double) calls.latencies().getCountBetweenValues(0, micros)
        / (answers() + calls.failures() + closed);
  }

  long answers() {
    return calls.correct() + calls.refusals() + unknown;
  }

  /// Successful responses per second.
  double goodput() {
    return calls.correct() / (nanos / 1e9);
  }

  /// The latencies of responses 503, if there was no wrong response.
  Histogram refused() {
    Histogram refused = calls.allLatencies();
    refused.subtract(calls.latencies());
    return refused;
  }

  @Override
  public String toString() {
    return format(
        "%,.0f/s answered 200 (%s), %,.0f/s answered 503 (%s), %d answered 504, %d closed",
        goodput(),
        times(calls.latencies()),
        calls.refusals() / (nanos / 1e9),
        times(refused()),
        unknown,
        closed);
  }

  private static String times(Histogram times) {
    return format(
        "p50 %.1f, p99 %.1f, max %.1f ms",
        times.getValueAtPercentile(50) / 1e3,
        times.getValueAtPercentile(99) / 1e3,
        times.getMaxValue() / 1e3);
  }
}
