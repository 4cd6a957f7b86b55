package toystore.clients.load;

import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAccumulator;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

/// A load that runs until it is closed, and is read while it runs. Each client waits for its
/// response before it sends again; after a missing or wrong one it pauses, and goes on. Any thread.
public final class LiveLoad implements AutoCloseable {
  private static final int MAX_SECONDS = 600;
  private static final Duration PAUSE_AFTER_FAILURE = Duration.ofMillis(100);
  private static final Duration LONGEST_REQUEST = Duration.ofSeconds(60);

  /// Parts of what is said of these. A cart that is kept after such a purchase makes the next one
  /// larger.
  private static final List<String> PROMISED =
      List.of("status 503", "status 504", "no response", "items_purchased is not 1");

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
      long correct,
      long refused,
      Map<String, Long> failed,
      long longestGapMillis,
      long gapMillis) {}

  /// Is told of responses, by the client that received them.
  public interface ResponseListener {
    default void onCorrect(CallSource.Call call, LoadConnection.Response response) {}

    default void onRefused(CallSource.Call call) {}
  }

  private final List<Series> kinds;
  private final double shareOfSecond;
  private final Duration pause;
  private final ResponseListener listener;
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private final Deque<Second> seconds = new ArrayDeque<>(); // guarded by itself
  private volatile boolean closed;
  private volatile long ended; // in System.nanoTime; 0: not yet

  /// Starts a load.
  ///
  /// @param kinds one, or two at one URL
  /// @param shareOfSecond the probability that a request is of the second kind
  /// @param pause time from a response to the next request; after a failure it is at least 100 ms
  public LiveLoad(
      List<CallSource> kinds,
      double shareOfSecond,
      int clients,
      Duration pause,
      ResponseListener listener) {
    this.kinds = kinds.stream().map(Series::new).toList();
    this.shareOfSecond = shareOfSecond;
    this.pause = pause;
    this.listener = listener;
    for (int client = 0; client < clients; client++) {
      int number = client;
      threads.execute(() -> new Client(number).run());
    }
    threads.execute(this::sample);
  }

  /// The seconds after one, the oldest first; at most the last ten minutes.
  public List<Second> secondsAfter(long second) {
    synchronized (seconds) {
      return seconds.stream().filter(it -> it.at > second).toList();
    }
  }

  /// Whether a response was missing, or said that its request failed or may have failed. Other
  /// failures are wrong responses.
  ///
  /// @param failure a key of [Totals#failed]
  public static boolean isPromised(String failure) {
    return PROMISED.stream().anyMatch(failure::contains);
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
    return kinds.stream().map(it -> it.calls.latencies()).toList();
  }

  /// Forgets the gaps between correct responses that were seen so far.
  public void watchGaps() {
    kinds.forEach(it -> it.longestGap.reset());
  }

  /// Sends no further requests, and waits for the responses to those that were sent.
  public void finish() throws InterruptedException {
    closed = true;
    threads.shutdown();
    threads.awaitTermination(LONGEST_REQUEST.toSeconds(), TimeUnit.SECONDS);
    end();
  }

  @Override
  public void close() {
    closed = true;
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

  /// A client. One thread.
  private final class Client {
    private final int number;
    private final SplittableRandom random = new SplittableRandom();
    private @Nullable LoadConnection connection;

    Client(int number) {
      this.number = number;
    }

    void run() {
      try {
        while (!closed) {
          boolean isSecond = kinds.size() > 1 && random.nextDouble() < shareOfSecond;
          boolean hasFailed = !call(kinds.get(isSecond ? 1 : 0));
          Thread.sleep(
              hasFailed && pause.compareTo(PAUSE_AFTER_FAILURE) < 0 ? PAUSE_AFTER_FAILURE : pause);
        }
      } catch (InterruptedException closing) {
        Thread.currentThread().interrupt();
      } finally {
        disconnect();
      }
    }

    /// @return whether the response was correct, or a refusal
    private boolean call(Series kind) {
      try {
        if (connection == null || connection.isEnded()) {
          disconnect();
          connection = kind.source.open();
        }
        CallSource.Call call = kind.source.next(number, random);
        long begin = System.nanoTime();
        LoadConnection.Response response = kind.source.send(connection, call);
        long nanos = System.nanoTime() - begin;
        Verdict verdict = kind.source.verdict(call, response, true);
        kind.add(verdict, nanos);
        switch (verdict) {
          case Verdict.Correct _ -> listener.onCorrect(call, response);
          case Verdict.Refused _ -> listener.onRefused(call);
          case Verdict.Wrong _ -> {
            return false;
          }
        }
        return true;
      } catch (IOException lost) {
        if (!closed) {
          kind.calls.addMissing(lost);
        }
        if (!(lost instanceof UnexpectedResponseException)) {
          disconnect();
        }
        return false;
      }
    }

    private void disconnect() {
      if (connection != null) {
        connection.close();
        connection = null;
      }
    }
  }

  /// The requests of one kind. Any thread; one takes the seconds.
  private static final class Series {
    private final CallSource source;
    private final CallRecorder calls = new CallRecorder();
    private final AtomicLong lastCorrect = new AtomicLong(System.nanoTime());
    private final LongAccumulator longestGap = new LongAccumulator(Math::max, 0);
    private Totals before = totals(System.nanoTime());
    private Histogram latenciesBefore = calls.allLatencies();

    Series(CallSource source) {
      this.source = source;
    }

    void add(Verdict verdict, long nanos) {
      calls.add(verdict, nanos);
      if (verdict instanceof Verdict.Correct) {
        long now = System.nanoTime();
        longestGap.accumulate(now - lastCorrect.getAndAccumulate(now, Math::max));
      }
    }

    Calls takeSecond() {
      Totals now = totals(System.nanoTime());
      Histogram latencies = calls.allLatencies();
      Histogram second = latencies.copy();
      second.subtract(latenciesBefore);
      var taken =
          new Calls(
              now.correct - before.correct,
              now.refused - before.refused,
              sum(now.failed) - sum(before.failed),
              second.getValueAtPercentile(50) / 1e3,
              second.getValueAtPercentile(95) / 1e3,
              second.getValueAtPercentile(99) / 1e3);
      before = now;
      latenciesBefore = latencies;
      return taken;
    }

    Totals totals(long now) {
      var failed = new TreeMap<String, Long>();
      calls.wrong().forEach((what, failures) -> failed.put(what, failures.count()));
      long gap = now - lastCorrect.get();
      return new Totals(
          calls.correct(),
          calls.refusals(),
          failed,
          Math.max(longestGap.get(), gap) / 1_000_000,
          gap / 1_000_000);
    }

    private static long sum(Map<String, Long> counts) {
      return counts.values().stream().mapToLong(Long::longValue).sum();
    }
  }
}
