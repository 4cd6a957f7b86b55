package toystore.gatling.result;

import org.HdrHistogram.Histogram;

/// The measurement of one repetition of a cell. Latencies are in µs.
///
/// @param repetition from 1
/// @param seconds from the first call's start to the last call's end; includes the time that
///   clients take to check responses, unlike the latencies
/// @param strain load of the load client during the repetition
public record RepetitionSummary(
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

  /// Load of the load client.
  ///
  /// @param clientCores mean number of cores that its JVM used
  /// @param machineShare busy share of all cores of the machine, including other programs, 0 to 1;
  ///   NaN if unknown
  /// @param gapMicros mean time between an answer and the same client's next call
  /// @param lateMicros 99th percentile of how late a thread of its JVM woke after a sleep of 1 ms
  public record Strain(
      double clientCores, double machineShare, double gapMicros, double lateMicros) {}

  /// @param count of all calls; the histogram may contain only some of them
  public static RepetitionSummary of(
      int repetition, Cell cell, long count, Histogram micros, double seconds, Strain strain) {
    return new RepetitionSummary(
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

  /// Responses per second, all clients together.
  public double perSecond() {
    return count / seconds;
  }
}
