package toystore.gatling;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAccumulator;
import java.util.concurrent.atomic.LongAdder;
import org.HdrHistogram.ConcurrentHistogram;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;
import toystore.gatling.place.Subject;
import toystore.gatling.result.Cell;
import toystore.gatling.result.Observation;
import toystore.gatling.result.Sample;

/// One repetition of a cell while it is measured. Any thread may add.
///
/// Latencies are whole µs, rounded, kept to three digits (exact below 2 ms) up to one minute; a
/// longer one counts as a minute. Moments are those of `System.nanoTime()`.
final class Step implements Client.Latencies {
  private static final long MOST_MICROS = 60_000_000;
  private static final int DIGITS = 3;

  private final int repetition;
  private final Cell cell;
  private final Kind kind;
  private final Subject subject;
  private final ConcurrentHistogram micros = new ConcurrentHistogram(MOST_MICROS, DIGITS);
  // nanoTime may be negative and may overflow, so both are kept as differences from this
  private final long origin = System.nanoTime();
  private final long originMillis = System.currentTimeMillis();
  private final LongAccumulator firstStart = new LongAccumulator(Math::min, Long.MAX_VALUE);
  private final LongAccumulator lastEnd = new LongAccumulator(Math::max, Long.MIN_VALUE);
  private final LongAdder gapNanos = new LongAdder();
  private final LongAdder gaps = new LongAdder();
  private final AtomicBoolean come = new AtomicBoolean();
  private final AtomicBoolean begun = new AtomicBoolean();
  private final AtomicBoolean kept = new AtomicBoolean();
  private volatile Sample.@Nullable Strain strain;
  private final AtomicInteger underWay;
  private final List<Observation> observations = new ArrayList<>();

  Step(int repetition, Subject subject, int clients, Kind kind) {
    this.repetition = repetition;
    this.subject = subject;
    this.kind = kind;
    this.cell = new Cell(subject.name(), clients, kind.word());
    this.underWay = new AtomicInteger(clients);
  }

  int repetition() {
    return repetition;
  }

  Cell cell() {
    return cell;
  }

  Kind kind() {
    return kind;
  }

  Subject subject() {
    return subject;
  }

  /// Whether the caller is the first of the clients to come.
  boolean isFirst() {
    return come.compareAndSet(false, true);
  }

  /// Whether the caller is the first of the clients to begin with the timed calls.
  boolean begins() {
    return begun.compareAndSet(false, true);
  }

  /// Whether the caller is the last of the clients to end them.
  boolean isLast() {
    return underWay.decrementAndGet() == 0;
  }

  /// Whether the caller is the one to keep what was measured: one of them is, once all have ended.
  boolean isKept() {
    return kept.compareAndSet(false, true);
  }

  /// How the load client did meanwhile; with this all is measured.
  void strained(Sample.Strain how) {
    strain = how;
  }

  @Override
  public void add(long startNanos, long endNanos) {
    micros.recordValue(Math.min(MOST_MICROS, (endNanos - startNanos + 500) / 1_000));
    firstStart.accumulate(startNanos - origin);
    lastEnd.accumulate(endNanos - origin);
  }

  @Override
  public void addGap(long nanos) {
    gapNanos.add(nanos);
    gaps.increment();
  }

  /// @param value over all calls of this step
  void observe(String name, double value, String unit) {
    observations.add(new Observation(repetition, cell, name, value, unit));
  }

  List<Observation> observations() {
    return List.copyOf(observations);
  }

  double meanGapMicros() {
    return gaps.sum() == 0 ? 0 : gapNanos.sum() / 1e3 / gaps.sum();
  }

  Histogram micros() {
    Histogram taken = micros.copy();
    taken.setStartTimeStamp(originMillis + firstStart.get() / 1_000_000);
    taken.setEndTimeStamp(originMillis + lastEnd.get() / 1_000_000);
    return taken;
  }

  /// What was measured; null: clients are still under way.
  @Nullable Sample sample() {
    Sample.Strain how = strain;
    if (how == null) {
      return null;
    }
    Histogram taken = micros();
    return new Sample(
        repetition,
        cell,
        taken.getTotalCount(),
        taken.getMean(),
        taken.getValueAtPercentile(50),
        taken.getValueAtPercentile(95),
        taken.getValueAtPercentile(99),
        taken.getMaxValue(),
        Math.max(1, lastEnd.get() - firstStart.get()) / 1e9,
        how);
  }
}
