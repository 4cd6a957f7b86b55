package toystore.cli;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
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
import java.util.stream.Stream;
import org.HdrHistogram.ConcurrentHistogram;
import org.HdrHistogram.Histogram;
import picocli.CommandLine.TypeConversionException;

/// A load from a number of clients. Each client, a virtual thread, sends its next request after the
/// response to the previous one. Every response is checked. Latency is measured until the body has
/// arrived: in a closed loop from the sending of the request; at a fixed pace from the time at
/// which the request was due, so that it includes the wait for a free client.
final class ClosedLoopLoad {
  /// The kind of requests to send.
  enum Kind {
    QUERY,
    BUY,
    LOOKUP,
    TRADE,
    UPDATE,
    RATING,
    SEARCH,
    ITEMS,
    REGISTER_ITEM,
    PURCHASE,
    EXCHANGE_XML,
    EXCHANGE_REST,
    EXCHANGE_GRPC;

    /// The kind with this name, also without its `exchange-`.
    ///
    /// @throws TypeConversionException if there is none
    static Kind of(String name) {
      return Stream.of(values())
          .filter(it ->
              it.toString().equalsIgnoreCase(name)
                  || it.toString().equalsIgnoreCase("exchange-" + name))
          .findFirst()
          .orElseThrow(() ->
              new TypeConversionException(
                  String.format(
                      Locale.ROOT, "expected one of %s; got %s", Arrays.toString(values()), name)));
    }

    /// Whether the products must be in stock.
    boolean needsStock() {
      return this == BUY || this == TRADE;
    }

    /// Whether the requests are for stocks only.
    boolean isForStocks() {
      return this == LOOKUP || this == TRADE || this == UPDATE;
    }

    /// The kind of requests to send for the warm-up; it changes no data, except that of accounts
    /// which belong to the load.
    Kind warmUpKind() {
      return switch (this) {
        case QUERY, BUY -> QUERY;
        case LOOKUP, TRADE, UPDATE -> LOOKUP;
        case RATING -> RATING;
        case SEARCH, PURCHASE -> SEARCH;
        case ITEMS, REGISTER_ITEM -> ITEMS;
        case EXCHANGE_XML, EXCHANGE_REST, EXCHANGE_GRPC -> this;
      };
    }

    /// Whether the requests are those of users of the marketplace.
    boolean isForMarketplace() {
      return switch (this) {
        case QUERY, BUY, LOOKUP, TRADE, UPDATE, EXCHANGE_XML, EXCHANGE_REST, EXCHANGE_GRPC -> false;
        case RATING, SEARCH, ITEMS, REGISTER_ITEM, PURCHASE -> true;
      };
    }

    /// Whether the requests are orders at the exchange.
    boolean isForExchange() {
      return this == EXCHANGE_XML || this == EXCHANGE_REST || this == EXCHANGE_GRPC;
    }

    /// The role of the users of the marketplace that send them.
    ShopRole role() {
      return this == ITEMS || this == REGISTER_ITEM ? ShopRole.SELLER : ShopRole.BUYER;
    }

    @Override
    public String toString() {
      return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
  }

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
    double perSecond() {
      long refusals = refused.values().stream().mapToLong(Long::longValue).sum();
      return (correct + refusals) / (elapsedNanos / 1e9);
    }
  }

  private static final long MAX_NANOS = 3_600_000_000_000L;
  private static final int DIGITS = 3;

  private final LoadTarget target;
  private final Kind kind;
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

  ClosedLoopLoad(LoadTarget target, Kind kind, List<String> products, long requests) {
    this.target = target;
    this.kind = kind;
    this.products = products;
    this.requests = requests;
  }

  static Result run(LoadTarget target, Kind kind, List<String> products, long requests, int clients)
      throws IOException, InterruptedException {
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
  Result run(int clients, double pace) throws IOException, InterruptedException {
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
    for (var number = next(); number < requests; number = next()) {
      var due = begin + number * everyNanos;
      try {
        TimeUnit.NANOSECONDS.sleep(due - System.nanoTime());
      } catch (InterruptedException ending) {
        break;
      }
      answered +=
          ask(
              client,
              products.get(ThreadLocalRandom.current().nextInt(products.size())),
              everyNanos == 0 ? System.nanoTime() : due);
    }
    perClient.add(answered);
  }

  private long next() {
    return stopped ? requests : asked.getAndIncrement();
  }

  /// @return the number of responses: 1 or 0
  private int ask(LoadTarget.Client client, String product, long begin) {
    try {
      var answer = client.ask(product);
      nanos.recordValue(Math.min(System.nanoTime() - begin, MAX_NANOS));
      count(answer.get());
      return 1;
    } catch (IOException e) {
      if (!stopped) {
        count(new ResponseCheck.Verdict.Wrong("no response", e.toString()));
      }
    } catch (InterruptedException ending) {
      Thread.currentThread().interrupt();
    }
    return 0;
  }

  private void count(ResponseCheck.Verdict verdict) {
    switch (verdict) {
      case ResponseCheck.Verdict.Correct() -> correct.increment();
      case ResponseCheck.Verdict.Refused(var why) -> refused.merge(why, 1L, Long::sum);
      case ResponseCheck.Verdict.Wrong(var kindOfWrong, var example) ->
          wrong.merge(kindOfWrong, new Failures(1, example), Failures::and);
    }
  }
}
