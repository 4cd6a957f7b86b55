package toystore.cli.load;

import io.grpc.StatusRuntimeException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.LongSummaryStatistics;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import org.HdrHistogram.ConcurrentHistogram;
import org.HdrHistogram.Histogram;
import toystore.cli.load.ResponseCheck.Verdict;

/// A load from a number of clients. Each client, a virtual thread, sends its next request after the
/// response to the previous one. Every response is checked. Latency is measured until the body has
/// arrived: in a closed loop from the sending of the request; at a fixed pace from the time at
/// which the request was due, so that it includes the wait for a free client.
final class ClosedLoopLoad {
  /// Wrong responses of one kind: their number and an example.
  record Failures(long count, String example) {
    Failures and(Failures other) {
      return new Failures(count + other.count, example);
    }
  }

  /// The result of a load.
  ///
  /// @param nanos the latencies of all received responses, in nanoseconds
  /// @param perClient the number of responses of each client: a starved one has few
  /// @param elapsedNanos the duration of the load until it ended or was stopped
  record Result(
      Histogram nanos,
      LongSummaryStatistics perClient,
      long elapsedNanos,
      long correct,
      Map<String, Long> refused,
      Map<String, Failures> wrong) {
    long refusals() {
      return refused.values().stream().mapToLong(Long::longValue).sum();
    }

    long failures() {
      return wrong.values().stream().mapToLong(Failures::count).sum();
    }

    /// The rate of this number of responses.
    double perSecond(long responses) {
      return responses * 1e9 / elapsedNanos;
    }
  }

  private static final long MAX_NANOS = 3_600_000_000_000L;
  private static final int DIGITS = 3;

  private final LoadTarget target;
  private final LoadKind kind;
  private final List<String> products;
  private final long requests;
  private final AtomicLong asked = new AtomicLong();
  private final Histogram nanos = new ConcurrentHistogram(MAX_NANOS, DIGITS);
  private final LongAdder correct = new LongAdder();
  private final Map<String, Long> refused = new ConcurrentSkipListMap<>();
  private final Map<String, Failures> wrong = new ConcurrentSkipListMap<>();

  private final Queue<Long> perClient = new ConcurrentLinkedQueue<>();
  private final List<Future<?>> runs = new CopyOnWriteArrayList<>();
  private volatile boolean stopped;

  ClosedLoopLoad(LoadTarget target, LoadKind kind, List<String> products, long requests) {
    this.target = target;
    this.kind = kind;
    this.products = products;
    this.requests = requests;
  }

  static Result run(
      LoadTarget target, LoadKind kind, List<String> products, long requests, int clients) {
    return new ClosedLoopLoad(target, kind, products, requests).run(clients, 0);
  }

  /// The number of requests sent so far. Any thread.
  long sent() {
    return Math.min(asked.get(), requests);
  }

  boolean isStopped() {
    return stopped;
  }

  /// Stops the load: [#run] returns what was measured so far. Requests without a response are not
  /// counted. Any thread.
  void stop() {
    stopped = true;
    runs.forEach(run -> run.cancel(true));
  }

  /// @param pace requests per second of all clients together, as long as they keep up; 0: no limit
  Result run(int clients, double pace) {
    var connected = new ArrayList<LoadTarget.Client>();
    try {
      for (var client = 0; client < clients; client++) {
        connected.add(target.client(kind));
      }
      var begin = System.nanoTime();
      var every = pace == 0 ? 0 : (long) (1e9 / pace);
      try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
        connected.forEach(
            client -> runs.add(threads.submit(() -> runClient(client, begin, every))));
      }
      var elapsed = System.nanoTime() - begin;
      if (!stopped) {
        runs.forEach(Future::resultNow); // an exception in a client is a bug and is thrown here
      }
      var calls = perClient.stream().mapToLong(Long::longValue).summaryStatistics();
      return new Result(
          nanos, calls, elapsed, correct.sum(), Map.copyOf(refused), Map.copyOf(wrong));
    } finally {
      connected.forEach(LoadTarget.Client::close);
    }
  }

  /// Request n is sent at its scheduled time, by whichever client is free.
  private void runClient(LoadTarget.Client client, long begin, long everyNanos) {
    var answered = 0L;
    try {
      var number = next();
      for (var own = 0L; number < requests; own++) {
        var due = begin + number * everyNanos;
        TimeUnit.NANOSECONDS.sleep(due - System.nanoTime());
        answered += ask(client, own, everyNanos == 0 ? System.nanoTime() : due) ? 1 : 0;
        number = next();
      }
    } catch (InterruptedException stopping) {
      Thread.currentThread().interrupt();
    }
    perClient.add(answered);
  }

  private long next() {
    return stopped ? requests : asked.getAndIncrement();
  }

  /// @return whether there was a response
  private boolean ask(LoadTarget.Client client, long number, long begin)
      throws InterruptedException {
    var product = products.get(ThreadLocalRandom.current().nextInt(products.size()));
    try {
      var answer = client.ask(product, number);
      nanos.recordValue(Math.min(System.nanoTime() - begin, MAX_NANOS));
      count(answer.get());
      return true;
    } catch (IOException | StatusRuntimeException e) {
      if (!stopped) {
        count(new Verdict.Wrong("no response", e.toString()));
      }
      return false;
    }
  }

  private void count(Verdict verdict) {
    switch (verdict) {
      case Verdict.Correct() -> correct.increment();
      case Verdict.Refused(var why) -> refused.merge(why, 1L, Long::sum);
      case Verdict.Wrong(var kindOfWrong, var example) ->
          wrong.merge(kindOfWrong, new Failures(1, example), Failures::and);
    }
  }
}
