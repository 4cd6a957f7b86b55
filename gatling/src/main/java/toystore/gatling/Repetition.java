package toystore.gatling;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;
import toystore.gatling.environment.Subject;
import toystore.gatling.result.Cell;
import toystore.gatling.result.ObservedValue;
import toystore.gatling.result.RepetitionSummary;
import toystore.gatling.result.RepetitionTimings;

/// One repetition of a cell during its measurement. Any thread may add latencies.
final class Repetition implements SimulatedClient.Latencies {
  private final int number;
  private final Cell cell;
  private final CallKind kind;
  private final Subject subject;
  private final RepetitionTimings timings = new RepetitionTimings();
  private final AtomicBoolean entered = new AtomicBoolean();
  private final AtomicBoolean started = new AtomicBoolean();
  private final AtomicBoolean stored = new AtomicBoolean();
  private volatile RepetitionSummary.@Nullable Strain strain;
  private final AtomicInteger unfinishedClients;
  private final List<ObservedValue> observations = new ArrayList<>();

  Repetition(int number, Subject subject, int clients, CallKind kind) {
    this.number = number;
    this.subject = subject;
    this.kind = kind;
    this.cell = new Cell(subject.name(), clients, kind.label());
    this.unfinishedClients = new AtomicInteger(clients);
  }

  int number() {
    return number;
  }

  Cell cell() {
    return cell;
  }

  CallKind kind() {
    return kind;
  }

  Subject subject() {
    return subject;
  }

  /// Whether the caller is the first client to enter.
  boolean isFirstToEnter() {
    return entered.compareAndSet(false, true);
  }

  /// Whether the caller is the first client to start the timed calls.
  boolean isFirstToStart() {
    return started.compareAndSet(false, true);
  }

  /// Whether the caller is the last client to finish the timed calls.
  boolean isLastToFinish() {
    return unfinishedClients.decrementAndGet() == 0;
  }

  /// Whether the caller is the first client to get here after all have finished; it stores the
  /// sample.
  boolean isFirstToStore() {
    return stored.compareAndSet(false, true);
  }

  /// Records the load of the client; the measurement is then complete.
  void finish(RepetitionSummary.Strain loadClientStrain) {
    strain = loadClientStrain;
  }

  @Override
  public void add(long startNanos, long endNanos) {
    timings.add(startNanos, endNanos);
  }

  @Override
  public void addGap(long nanos) {
    timings.addGap(nanos);
  }

  /// @param value over all calls of this repetition
  void observe(String name, double value, String unit) {
    observations.add(new ObservedValue(number, cell, name, value, unit));
  }

  List<ObservedValue> observations() {
    return List.copyOf(observations);
  }

  double meanGapMicros() {
    return timings.meanGapMicros();
  }

  Histogram micros() {
    return timings.micros();
  }

  /// The sample; null while clients are still measuring.
  @Nullable RepetitionSummary sample() {
    RepetitionSummary.Strain loadClientStrain = strain;
    return loadClientStrain == null ? null : timings.sample(number, cell, loadClientStrain);
  }
}
