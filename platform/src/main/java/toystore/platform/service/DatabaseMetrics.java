package toystore.platform.service;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.DistributionSummary;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.ToDoubleFunction;
import toystore.platform.storage.CommandTimings;
import toystore.platform.storage.Database;
import toystore.platform.storage.ReadPool;
import toystore.platform.storage.SingleWriter;
import toystore.platform.storage.WriterListener;

/// Metrics of a service's writer, database file and readers, tagged with the name of the service.
/// `every-service.properties` has the bounds of the histograms. Any thread.
final class DatabaseMetrics implements WriterListener {
  private final MeterRegistry registry;
  private final String name;
  private final Tags tags;
  private final Timer queue;
  private final Timer decide;
  private final Timer commit;
  private final Timer sync;
  private final DistributionSummary batch;
  private final Map<QueueRefusal, Counter> refused = new EnumMap<>(QueueRefusal.class);
  private final Counter failedBatches;
  private final Counter failedCommands;

  /// @param name of the service, such as `catalog`
  DatabaseMetrics(MeterRegistry registry, String name) {
    this.registry = registry;
    this.name = name;
    this.tags = Tags.of("writer", name);
    this.queue = timer("toystore.writer.queue", "Time a command waits in the queue");
    this.decide = timer("toystore.writer.decide", "Time to decide a command");
    this.commit =
        timer("toystore.writer.commit", "Time to write the rows of a batch and commit them");
    this.sync =
        timer(
            "toystore.writer.sync",
            "Time of COMMIT alone (append to the log and fsync) of a batch");
    this.batch =
        DistributionSummary.builder("toystore.writer.batch")
            .description("Commands per committed batch")
            .baseUnit("commands")
            .tags(tags)
            .register(registry);
    for (QueueRefusal reason : QueueRefusal.values()) {
      refused.put(
          reason,
          Counter.builder("toystore.writer.refused")
              .description("Commands refused before they were queued, by reason")
              .tags(tags.and("reason", reason.name().toLowerCase(Locale.ROOT)))
              .register(registry));
    }
    this.failedBatches = counter("toystore.writer.failed.batches", "Batches not committed");
    this.failedCommands =
        counter("toystore.writer.failed.commands", "Commands in batches that were not committed");
  }

  void bind(SingleWriter<?> writer, Database database) {
    gauge(
        "toystore.writer.queue.depth",
        "Commands waiting in the queue",
        writer,
        SingleWriter::waiting);
    gauge(
        "toystore.writer.queue.bound",
        "Maximum number of commands waiting in the queue",
        writer,
        SingleWriter::queueBound);
    gauge(
        "toystore.writer.refusing",
        "1 while nothing can be written (disk full)",
        writer,
        it -> it.refuses() ? 1 : 0);
    database.log().ifPresent(this::bind);
  }

  private void bind(Database.LogStatistics log) {
    gauge(
        "toystore.writer.wal.bytes",
        "Size of the write-ahead log at its last checkpoint",
        log,
        Database.LogStatistics::logBytes);
    count(
        "toystore.writer.checkpoints",
        "Checkpoints of the log beside the writer",
        log,
        Database.LogStatistics::checkpoints);
    count(
        "toystore.writer.failed.checkpoints",
        "Checkpoints that failed",
        log,
        Database.LogStatistics::failedCheckpoints);
  }

  void bind(ReadPool readers) {
    Gauge.builder("toystore.readers.queue.depth", readers, ReadPool::waiting)
        .description("Queries waiting for a reader thread")
        .tag("pool", name)
        .register(registry);
  }

  @Override
  public void onAnswered(CommandTimings timings) {
    queue.record(timings.queueNanos(), TimeUnit.NANOSECONDS);
    decide.record(timings.decideNanos(), TimeUnit.NANOSECONDS);
  }

  @Override
  public void onCommitted(CommandTimings.Commit done) {
    commit.record(done.nanos(), TimeUnit.NANOSECONDS);
    sync.record(done.syncNanos(), TimeUnit.NANOSECONDS);
    batch.record(done.size());
  }

  @Override
  public void onRefused(QueueRefusal reason) {
    Counter counter = refused.get(reason);
    if (counter != null) {
      counter.increment();
    }
  }

  @Override
  public void rolledBack(int size) {
    failedBatches.increment();
    failedCommands.increment(size);
  }

  private Timer timer(String name, String meaning) {
    return Timer.builder(name).description(meaning).tags(tags).register(registry);
  }

  private Counter counter(String name, String meaning) {
    return Counter.builder(name).description(meaning).tags(tags).register(registry);
  }

  private <T> void gauge(String name, String meaning, T of, ToDoubleFunction<T> value) {
    Gauge.builder(name, of, value).description(meaning).tags(tags).register(registry);
  }

  private <T> void count(String name, String meaning, T of, ToDoubleFunction<T> value) {
    FunctionCounter.builder(name, of, value).description(meaning).tags(tags).register(registry);
  }
}
