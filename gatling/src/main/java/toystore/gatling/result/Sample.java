package toystore.gatling.result;

import org.HdrHistogram.Histogram;

/// What one repetition of a cell measured. Latencies are in µs.
///
/// @param repetition from 1
/// @param seconds from the first call's start to the last one's end; holds the time clients take to
///   check an answer, which the latencies do not
/// @param strain how the load client itself did meanwhile
public record Sample(
    int repetition,
    Cell cell,
    long count,
    double meanMicros,
    long p50Micros,
    long p95Micros,
    long p99Micros,
    long maxMicros,
    double seconds,
    Strain strain) {

  /// How hard a load client found it to keep to its plan.
  ///
  /// @param clientCores how many cores its JVM kept busy
  /// @param machineShare of all cores of the machine that were busy, with whatever ran on it, 0 to
  ///   1; NaN where the machine does not tell
  /// @param gapMicros mean time between an answer and the same client's next call
  /// @param lateMicros the 99th percentile of how late a thread of its JVM woke that slept 1 ms
  public record Strain(
      double clientCores, double machineShare, double gapMicros, double lateMicros) {}

  /// @param count of all calls, of which some are in the histogram
  public static Sample of(
      int repetition, Cell cell, long count, Histogram micros, double seconds, Strain strain) {
    return new Sample(
        repetition,
        cell,
        count,
        micros.getMean(),
        micros.getValueAtPercentile(50),
        micros.getValueAtPercentile(95),
        micros.getValueAtPercentile(99),
        micros.getMaxValue(),
        seconds,
        strain);
  }

  /// Answers a second by all clients together.
  public double perSecond() {
    return count / seconds;
  }
}
