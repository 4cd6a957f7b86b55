package toystore.gatling;

import java.util.concurrent.atomic.LongAccumulator;
import org.HdrHistogram.ConcurrentHistogram;
import org.HdrHistogram.Histogram;

/// The latencies of one cell while they are taken. Any thread may add.
///
/// Values are whole µs, rounded, kept to three digits (exact below 2 ms) up to one minute; a longer
/// one counts as a minute. Times are those of `System.nanoTime()`.
final class Measurement {
  private static final long MOST_MICROS = 60_000_000;
  private static final int DIGITS = 3;

  private final int clients;
  private final String kind;
  private final ConcurrentHistogram micros = new ConcurrentHistogram(MOST_MICROS, DIGITS);
  // nanoTime may be negative and may overflow, so both are kept as differences from this
  private final long origin = System.nanoTime();
  private final long originMillis = System.currentTimeMillis();
  private final LongAccumulator firstStart = new LongAccumulator(Math::min, Long.MAX_VALUE);
  private final LongAccumulator lastEnd = new LongAccumulator(Math::max, Long.MIN_VALUE);

  Measurement(int clients, String kind) {
    this.clients = clients;
    this.kind = kind;
  }

  void add(long startNanos, long endNanos) {
    micros.recordValue(Math.min(MOST_MICROS, (endNanos - startNanos + 500) / 1_000));
    firstStart.accumulate(startNanos - origin);
    lastEnd.accumulate(endNanos - origin);
  }

  /// For files, such as `3-query`.
  String name() {
    return clients + "-" + kind;
  }

  long count() {
    return micros.getTotalCount();
  }

  /// What was taken up to now, in µs, tagged with the [#name()] and with the time of day it was
  /// taken.
  Histogram micros() {
    Histogram taken = micros.copy();
    taken.setTag(name());
    taken.setStartTimeStamp(originMillis + firstStart.get() / 1_000_000);
    taken.setEndTimeStamp(originMillis + lastEnd.get() / 1_000_000);
    return taken;
  }

  /// @throws IllegalArgumentException when nothing was taken
  Cell cell() {
    Histogram taken = micros();
    return new Cell(
        clients,
        kind,
        taken.getTotalCount(),
        taken.getMean(),
        taken.getValueAtPercentile(50),
        taken.getValueAtPercentile(95),
        taken.getValueAtPercentile(99),
        taken.getMaxValue(),
        taken.getTotalCount() * 1e9 / Math.max(1, lastEnd.get() - firstStart.get()));
  }
}
