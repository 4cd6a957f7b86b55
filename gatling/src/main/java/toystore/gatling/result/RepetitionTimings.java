package toystore.gatling.result;

import java.util.concurrent.atomic.LongAccumulator;
import java.util.concurrent.atomic.LongAdder;
import org.HdrHistogram.ConcurrentHistogram;
import org.HdrHistogram.Histogram;

/// The times of one repetition of a cell during its measurement. Any thread may add.
///
/// Latencies are whole µs, rounded, with three significant digits (exact below 2 ms) up to one
/// minute; a longer latency counts as one minute. Times are those of `System.nanoTime()`.
public final class RepetitionTimings {
  private static final long MOST_MICROS = 60_000_000;
  private static final int DIGITS = 3;

  private final ConcurrentHistogram micros = new ConcurrentHistogram(MOST_MICROS, DIGITS);
  // nanoTime may be negative or overflow, so times are relative to this origin
  private final long origin = System.nanoTime();
  private final long originMillis = System.currentTimeMillis();
  private final LongAccumulator firstStart = new LongAccumulator(Math::min, Long.MAX_VALUE);
  private final LongAccumulator lastEnd = new LongAccumulator(Math::max, Long.MIN_VALUE);
  private final LongAdder gapNanos = new LongAdder();
  private final LongAdder gaps = new LongAdder();

  /// Adds a call.
  public void add(long startNanos, long endNanos) {
    micros.recordValue(Math.min(MOST_MICROS, (endNanos - startNanos + 500) / 1_000));
    firstStart.accumulate(startNanos - origin);
    lastEnd.accumulate(endNanos - origin);
  }

  /// Adds a pause between an answer and the same client's next call.
  public void addGap(long nanos) {
    gapNanos.add(nanos);
    gaps.increment();
  }

  /// Mean gap in µs; 0 if there was none.
  public double meanGapMicros() {
    return gaps.sum() == 0 ? 0 : gapNanos.sum() / 1e3 / gaps.sum();
  }

  /// All latencies, in µs, between the first call's start and the last one's end.
  public Histogram micros() {
    Histogram taken = micros.copy();
    taken.setStartTimeStamp(originMillis + firstStart.get() / 1_000_000);
    taken.setEndTimeStamp(originMillis + lastEnd.get() / 1_000_000);
    return taken;
  }

  /// The sample, after all calls have finished.
  public RepetitionSummary sample(int repetition, Cell cell, RepetitionSummary.Strain strain) {
    double seconds = Math.max(1, lastEnd.get() - firstStart.get()) / 1e9;
    Histogram all = micros();
    return RepetitionSummary.of(repetition, cell, all.getTotalCount(), all, seconds, strain);
  }
}
