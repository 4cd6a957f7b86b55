package toystore.torture;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/// Customers that come again and again until they are told to stop. A buyer repeats a buy with its
/// key until it is acknowledged, at the next of several frontends where one is away, and writes
/// each acknowledgement into a [Journal] before it counts. That file is the judge of what the store
/// holds.
public final class Shoppers implements AutoCloseable {
  private static final Pattern NUMBER = Pattern.compile("\"order_number\":(\\d+)");
  private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(10);
  private static final long PAUSE_AFTER_ERROR_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

  private static final int REPEATS = 100;

  private final List<Http> frontends;
  private final long first;
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private final List<Future<?>> shoppers = new ArrayList<>();
  private final Journal journal;
  private final AtomicLong acknowledged = new AtomicLong();
  private final Queue<Visit> visits = new ConcurrentLinkedQueue<>();
  private final String name = UUID.randomUUID().toString();
  private final AtomicLong keys = new AtomicLong();
  private final long begin = System.nanoTime();
  private volatile boolean shopping = true;

  /// One request and its answer.
  ///
  /// @param at since the first came
  /// @param status 0: the frontend was away
  public record Visit(Duration at, String kind, int status, Duration took) {}

  /// @param folder where their journal is kept
  /// @param first the number their first order gets
  public Shoppers(Path folder, long first, Http... frontends) throws IOException {
    this.journal = new Journal(folder);
    this.first = first;
    this.frontends = List.of(frontends);
  }

  /// Some that buy.
  public Shoppers buying(int count) {
    return come(count, this::buyUntilAcknowledged);
  }

  /// Some that only ask for the same path.
  public Shoppers asking(int count, String kind, String path) {
    return come(count, frontend -> visit(kind, () -> frontend.get(path)));
  }

  private Shoppers come(int count, Consumer<Http> visit) {
    for (int i = 0; i < count; i++) {
      Http frontend = frontends.get(i % frontends.size());
      shoppers.add(
          threads.submit(() -> {
            while (shopping) {
              visit.accept(frontend);
              LockSupport.parkNanos(PAUSE_NANOS);
            }
          }));
    }
    return this;
  }

  private void buyUntilAcknowledged(Http nearest) {
    String key = name + "-" + keys.getAndIncrement();
    int next = frontends.indexOf(nearest);
    while (true) {
      Http frontend = frontends.get(next++ % frontends.size());
      Http.Reply reply = visit("buy", () -> buy(frontend, key));
      if (reply != null && reply.status() == 200) {
        acknowledge(key, reply.body());
        return;
      }
      if (reply != null) {
        assertThat(reply.status()).as(reply.body()).isIn(503, 504);
      }
      LockSupport.parkNanos(PAUSE_AFTER_ERROR_NANOS);
    }
  }

  private void acknowledge(String key, String body) {
    Matcher number = NUMBER.matcher(body);
    assertThat(number.find()).as(body).isTrue();
    journal.write(number.group(1) + " " + key);
    acknowledged.incrementAndGet();
  }

  private interface Request {
    Http.Reply send() throws IOException;
  }

  private Http.@Nullable Reply visit(String kind, Request request) {
    long start = System.nanoTime();
    Http.Reply reply;
    try {
      reply = request.send();
    } catch (IOException away) {
      reply = null;
      LockSupport.parkNanos(PAUSE_AFTER_ERROR_NANOS);
    }
    visits.add(
        new Visit(
            Duration.ofNanos(start - begin),
            kind,
            reply == null ? 0 : reply.status(),
            Duration.ofNanos(System.nanoTime() - start)));
    return reply;
  }

  /// How many buys were acknowledged so far.
  public long bought() {
    return acknowledged.get();
  }

  /// How long ago the first came.
  public Duration now() {
    return Duration.ofNanos(System.nanoTime() - begin);
  }

  /// The requests that began between two moments.
  public List<Visit> visits(String kind, Duration from, Duration to) {
    return visits.stream()
        .filter(it -> it.kind.equals(kind) && it.at.compareTo(from) >= 0 && it.at.compareTo(to) < 0)
        .toList();
  }

  /// Lets them finish what they began.
  public void leave() throws ExecutionException, InterruptedException {
    shopping = false;
    for (Future<?> shopper : shoppers) {
      shopper.get();
    }
  }

  /// After they have left: what was acknowledged is there, once, without a gap.
  public void checkAgainst(Http frontend) throws IOException {
    Map<Long, String> byNumber = new TreeMap<>();
    for (String line : journal.lines()) {
      String[] words = line.split(" ");
      assertThat(byNumber.put(Long.valueOf(words[0]), words[1])).as("sold twice: " + line).isNull();
    }
    long next = first + byNumber.size();
    assertThat(byNumber.keySet())
        .containsExactlyElementsOf(LongStream.range(first, next).boxed().toList());
    assertThat(frontend.get("/products/Tux").body())
        .contains("\"quantity\":" + (StoreProcesses.TUX - next));
    for (long number = first; number < next; number++) {
      assertThat(frontend.get("/orders/" + number).status()).as("order %d", number).isEqualTo(200);
    }
    assertThat(frontend.audit().body()).startsWith("{\"ok\":true");
    checkRepeats(frontend, byNumber);
  }

  /// Whoever comes again with a key, days later, gets the same answer.
  private static void checkRepeats(Http frontend, Map<Long, String> byNumber) throws IOException {
    long step = 1 + byNumber.size() / REPEATS;
    for (long i = 0; i < byNumber.size(); i += step) {
      Map.Entry<Long, String> sold = byNumber.entrySet().stream().skip(i).findFirst().orElseThrow();
      Http.Reply reply = buy(frontend, sold.getValue());
      assertThat(reply.body()).isEqualTo("{\"data\":{\"order_number\":%d}}", sold.getKey());
      assertThat(reply.header("Idempotency-Replayed")).containsExactly("true");
    }
  }

  private static Http.Reply buy(Http frontend, String key) throws IOException {
    return frontend.post("/orders", "{\"name\":\"Tux\",\"quantity\":1}", "Idempotency-Key", key);
  }

  @Override
  public void close() throws IOException {
    shopping = false;
    threads.shutdownNow();
    journal.close();
  }
}
