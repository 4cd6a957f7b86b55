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
import org.HdrHistogram.ConcurrentHistogram;
import org.HdrHistogram.Histogram;

/// A closed loop: each client sends its next request when it has its answer, a virtual thread each.
/// Every answer is checked; time is taken from before the request until the body is there.
final class Load {
  /// What is asked for.
  enum Kind {
    QUERY,
    BUY;

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
      Histogram nanos, long elapsedNanos, long right, long soldOut, Map<String, Failures> wrong) {
    double perSecond() {
      return (right + soldOut) / (elapsedNanos / 1e9);
    }
  }

  private static final long LONGEST_NANOS = 60_000_000_000L;
  private static final int DIGITS = 3;

  private final Shop shop;
  private final Kind kind;
  private final List<String> products;
  private final AtomicLong left;
  private final Histogram nanos = new ConcurrentHistogram(LONGEST_NANOS, DIGITS);
  private final LongAdder right = new LongAdder();
  private final LongAdder soldOut = new LongAdder();
  private final Map<String, Failures> wrong = new ConcurrentSkipListMap<>();

  private Load(Shop shop, Kind kind, List<String> products, long requests) {
    this.shop = shop;
    this.kind = kind;
    this.products = products;
    this.left = new AtomicLong(requests);
  }

  static Result run(Shop shop, Kind kind, List<String> products, long requests, int clients)
      throws InterruptedException {
    return new Load(shop, kind, products, requests).run(clients);
  }

  private Result run(int clients) {
    var begin = System.nanoTime();
    var runs = new ArrayList<Future<?>>();
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      for (var client = 0; client < clients; client++) {
        runs.add(threads.submit(this::runClient));
      }
    }
    var elapsed = System.nanoTime() - begin;
    runs.forEach(Future::resultNow); // a client that broke down is a bug and says so
    return new Result(nanos, elapsed, right.sum(), soldOut.sum(), Map.copyOf(wrong));
  }

  private void runClient() {
    var answers = new Answers();
    while (left.getAndDecrement() > 0) {
      ask(answers, products.get(ThreadLocalRandom.current().nextInt(products.size())));
    }
  }

  private void ask(Answers answers, String product) {
    var request =
        switch (kind) {
          case QUERY -> shop.query(product);
          case BUY -> shop.buy(product);
        };
    try {
      var begin = System.nanoTime();
      var answer = shop.send(request);
      nanos.recordValue(Math.min(System.nanoTime() - begin, LONGEST_NANOS));
      count(
          switch (kind) {
            case QUERY -> answers.query(product, answer);
            case BUY -> answers.buy(answer);
          });
    } catch (IOException noAnswer) {
      count(new Answers.Verdict.Wrong("no answer", noAnswer.toString()));
    } catch (InterruptedException ending) {
      Thread.currentThread().interrupt();
    }
  }

  private void count(Answers.Verdict verdict) {
    switch (verdict) {
      case Answers.Verdict.Right() -> right.increment();
      case Answers.Verdict.SoldOut() -> soldOut.increment();
      case Answers.Verdict.Wrong(var kindOfWrong, var example) ->
          wrong.merge(kindOfWrong, new Failures(1, example), Failures::and);
    }
  }
}
