package toystore.clients.load;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAccumulator;
import org.HdrHistogram.Histogram;

/// A closed loop that runs until it is closed, and is read while it runs. Any thread.
public final class LiveLoad implements AutoCloseable {
  private static final int MAX_SECONDS = 600;
  private static final Duration LONGEST_REQUEST = Duration.ofSeconds(60);

  /// What the requests of a kind got in one second. Latencies are in milliseconds.
  public record Calls(
      long correct, long refused, long failed, double p50, double p95, double p99) {}

  /// One second of a load.
  ///
  /// @param at seconds since 1970
  /// @param calls of each kind
  public record Second(long at, List<Calls> calls) {}

  /// What the requests of a kind got since the load began.
  ///
  /// @param failed numbers of missing and wrong responses by what was wrong
  /// @param longestGapMillis the longest time without a correct response since [#watchGaps]
  /// @param gapMillis the time since the last correct response
  public record Totals(
      long correct, long refused, Map<String, Long> failed, long longestGapMillis, long gapMillis) {
    Totals since(Totals before) {
      var failures = new TreeMap<>(failed);
      before.failed.forEach((what, count) -> failures.merge(what, -count, Long::sum));
      failures.values().removeIf(it -> it == 0);
      return new Totals(
          correct - before.correct,
          refused - before.refused,
          failures,
          longestGapMillis,
          gapMillis);
    }

    public long failures() {
      return failed.values().stream().mapToLong(Long::longValue).sum();
    }

    public long requests() {
      return correct + refused + failures();
    }
  }

  private final List<Series> kinds;
  private final ClosedLoop loop;
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private final Deque<Second> seconds = new ArrayDeque<>(); // guarded by itself
  private volatile boolean closed;
  private volatile long ended; // in System.nanoTime; 0: not yet

  /// Starts a load.
  ///
  /// See [ClosedLoop#callUntilStopped].
  public LiveLoad(
      List<CallSource> kinds,
      double shareOfSecond,
      int clients,
      Duration pause,
      ClosedLoop.ResponseListener listener) {
    this.kinds = kinds.stream().map(_ -> new Series()).toList();
    this.loop = new ClosedLoop(clients, ThreadLocalRandom.current().nextLong());
    threads.submit(() -> {
      loop.callUntilStopped(kinds, shareOfSecond, pause, this.kinds, listener);
      return null;
    });
    threads.execute(this::sample);
  }

  /// The seconds after one, the oldest first; at most the last ten minutes.
  public List<Second> secondsAfter(long second) {
    synchronized (seconds) {
      return seconds.stream().filter(it -> it.at > second).toList();
    }
  }

  /// Of each kind. Those of a load that has ended do not change.
  public List<Totals> totals() {
    long now = ended == 0 ? System.nanoTime() : ended;
    return kinds.stream().map(it -> it.totals(now)).toList();
  }

  public boolean isEnded() {
    return closed;
  }

  /// The latencies of the correct responses since the load began, of each kind, in µs.
  public List<Histogram> latencies() {
    return kinds.stream().map(it -> it.latencies()).toList();
  }

  /// Forgets the gaps between correct responses that were seen so far.
  public void watchGaps() {
    kinds.forEach(it -> it.longestGap.reset());
  }

  /// Sends no further requests, and waits for the responses to those that were sent.
  public void finish() throws InterruptedException {
    closed = true;
    loop.finish();
    threads.shutdown();
    threads.awaitTermination(LONGEST_REQUEST.toSeconds(), TimeUnit.SECONDS);
    end();
  }

  @Override
  public void close() {
    closed = true;
    loop.stop();
    threads.shutdownNow();
    threads.close();
    end();
  }

  private synchronized void end() {
    if (ended == 0) {
      ended = System.nanoTime();
    }
  }

  private void sample() {
    try {
      for (long at = Instant.now().getEpochSecond(); !closed; at++) {
        Thread.sleep(Duration.between(Instant.now(), Instant.ofEpochSecond(at + 1)));
        var second = new Second(at, kinds.stream().map(Series::takeSecond).toList());
        synchronized (seconds) {
          seconds.add(second);
          if (seconds.size() > MAX_SECONDS) {
            seconds.removeFirst();
          }
        }
      }
    } catch (InterruptedException closing) {
      Thread.currentThread().interrupt();
    }
  }

  /// The requests of one kind. Any thread; one takes the seconds.
  private static final class Series extends CallRecorder {
    private final AtomicLong lastCorrect = new AtomicLong(System.nanoTime());
    private final LongAccumulator longestGap = new LongAccumulator(Math::max, 0);
    private Totals before = totals(System.nanoTime());
    private Histogram latenciesBefore = allLatencies();

    @Override
    public void add(Verdict verdict, long nanos) {
      super.add(verdict, nanos);
      if (verdict instanceof Verdict.Correct) {
        long now = System.nanoTime();
        longestGap.accumulate(now - lastCorrect.getAndAccumulate(now, Math::max));
      }
    }

    Calls takeSecond() {
      Totals now = totals(System.nanoTime());
      Histogram latencies = allLatencies();
      Histogram second = latencies.copy();
      second.subtract(latenciesBefore);
      Totals got = now.since(before);
      var taken =
          new Calls(
              got.correct,
              got.refused,
              got.failures(),
              second.getValueAtPercentile(50) / 1e3,
              second.getValueAtPercentile(95) / 1e3,
              second.getValueAtPercentile(99) / 1e3);
      before = now;
      latenciesBefore = latencies;
      return taken;
    }

    Totals totals(long now) {
      var failed = new TreeMap<String, Long>();
      wrong().forEach((what, failures) -> failed.put(what, failures.count()));
      long gap = now - lastCorrect.get();
      return new Totals(
          correct(),
          refusals(),
          failed,
          Math.max(longestGap.get(), gap) / 1_000_000,
          gap / 1_000_000);
    }
  }
}
