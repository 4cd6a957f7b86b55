package toystore.cli;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;
import org.HdrHistogram.ConcurrentHistogram;
import org.HdrHistogram.Histogram;

/// A closed loop: each client sends its next request when it has its answer, a virtual thread each.
/// Every answer is checked; time is taken from before the request until the body is there.
final class ClosedLoopLoad {
  /// What is asked for.
  enum Kind {
    QUERY,
    BUY,
    LOOKUP,
    TRADE,
    UPDATE;

    /// Whether it needs products in stock.
    boolean takesStock() {
      return this == BUY || this == TRADE;
    }

    /// What is asked for to warm such a load up.
    Kind harmless() {
      return switch (this) {
        case QUERY, BUY -> QUERY;
        case LOOKUP, TRADE, UPDATE -> LOOKUP;
      };
    }

    @Override
    public String toString() {
      return name().toLowerCase(java.util.Locale.ROOT);
    }
  }

  /// Answers of one wrong kind: how many, and one of them.
  record Failures(long count, String example) {
    Failures and(Failures other) {
      return new Failures(count + other.count, example);
    }
  }

  /// How it went.
  ///
  /// @param nanos the time of every answer that came, in nanoseconds
  /// @param elapsedNanos of the whole loop
  record Result(
      Histogram nanos,
      long elapsedNanos,
      long right,
      Map<String, Long> refused,
      Map<String, Failures> wrong) {
    double perSecond() {
      long refusals = refused.values().stream().mapToLong(Long::longValue).sum();
      return (right + refusals) / (elapsedNanos / 1e9);
    }
  }

  private static final long LONGEST_NANOS = 60_000_000_000L;
  private static final int DIGITS = 3;

  private final LoadTarget target;
  private final Kind kind;
  private final List<String> products;
  private final long requests;
  private final AtomicLong asked = new AtomicLong();
  private final Histogram nanos = new ConcurrentHistogram(LONGEST_NANOS, DIGITS);
  private final LongAdder right = new LongAdder();
  private final Map<String, Long> refused = new ConcurrentSkipListMap<>();
  private final Map<String, Failures> wrong = new ConcurrentSkipListMap<>();

  private ClosedLoopLoad(LoadTarget target, Kind kind, List<String> products, long requests) {
    this.target = target;
    this.kind = kind;
    this.products = products;
    this.requests = requests;
  }

  static Result run(LoadTarget target, Kind kind, List<String> products, long requests, int clients)
      throws IOException, InterruptedException {
    return new ClosedLoopLoad(target, kind, products, requests).run(clients, 0);
  }

  /// @param pace requests a second of all clients together, as long as they keep up; 0: as many as
  ///   they can
  static Result run(
      LoadTarget target, Kind kind, List<String> products, long requests, int clients, double pace)
      throws IOException, InterruptedException {
    return new ClosedLoopLoad(target, kind, products, requests).run(clients, pace);
  }

  private Result run(int clients, double pace) throws IOException, InterruptedException {
    var connected = new ArrayList<LoadTarget.Client>();
    try {
      for (var client = 0; client < clients; client++) {
        connected.add(target.client(kind));
      }
      var runs = new ArrayList<Future<?>>();
      var begin = System.nanoTime();
      var every = pace == 0 ? 0 : (long) (1e9 / pace);
      try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
        connected.forEach(
            client -> runs.add(threads.submit(() -> runClient(client, begin, every))));
      }
      var elapsed = System.nanoTime() - begin;
      runs.forEach(Future::resultNow); // a client that broke down is a bug and says so
      return new Result(nanos, elapsed, right.sum(), Map.copyOf(refused), Map.copyOf(wrong));
    } finally {
      connected.forEach(LoadTarget.Client::close);
    }
  }

  /// Each request has its moment, whichever client sends it.
  private void runClient(LoadTarget.Client client, long begin, long everyNanos) {
    for (var number = asked.getAndIncrement();
        number < requests;
        number = asked.getAndIncrement()) {
      awaitMoment(begin + number * everyNanos);
      ask(client, products.get(ThreadLocalRandom.current().nextInt(products.size())));
    }
  }

  private static void awaitMoment(long nanos) {
    for (var early = nanos - System.nanoTime(); early > 0; early = nanos - System.nanoTime()) {
      LockSupport.parkNanos(early);
    }
  }

  private void ask(LoadTarget.Client client, String product) {
    try {
      var begin = System.nanoTime();
      var answer = client.ask(product);
      nanos.recordValue(Math.min(System.nanoTime() - begin, LONGEST_NANOS));
      count(answer.get());
    } catch (IOException e) {
      count(new ResponseCheck.Verdict.Wrong("no response", e.toString()));
    } catch (InterruptedException ending) {
      Thread.currentThread().interrupt();
    }
  }

  private void count(ResponseCheck.Verdict verdict) {
    switch (verdict) {
      case ResponseCheck.Verdict.Right() -> right.increment();
      case ResponseCheck.Verdict.Refused(var why) -> refused.merge(why, 1L, Long::sum);
      case ResponseCheck.Verdict.Wrong(var kindOfWrong, var example) ->
          wrong.merge(kindOfWrong, new Failures(1, example), Failures::and);
    }
  }
}
