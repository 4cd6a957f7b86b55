package toystore.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Queue;
import java.util.SortedMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import toystore.testkit.HttpTestClient.Reply;

/// [RepeatingBuyers] of the product Tux over the REST API, and clients that only read. A buyer
/// tries the next frontend if one is unavailable. The duration of each request is recorded.
public final class HttpBuyers implements AutoCloseable {
  private static final Pattern NUMBER = Pattern.compile("\"order_number\":(\\d+)");
  private static final Pattern STOCK = Pattern.compile("\"name\":\"Tux\".*\"quantity\":(\\d+)");
  private static final Duration PAUSE = Duration.ofMillis(10);
  private static final Duration PAUSE_AFTER_ERROR = Duration.ofMillis(100);
  private static final int REPEATS = 100;

  private final List<HttpTestClient> frontends;
  private final long first;
  private final RepeatingBuyers buyers;
  private final ExecutorService readers = Executors.newVirtualThreadPerTaskExecutor();
  private final Queue<Timed> requests = new ConcurrentLinkedQueue<>();
  private final Queue<String> staleReads = new ConcurrentLinkedQueue<>();
  private final long begin = System.nanoTime();
  private volatile boolean reading = true;

  /// One request and its response.
  ///
  /// @param at when the request started, measured from the creation of the clients
  /// @param status the HTTP status; 0: the frontend was unavailable
  public record Timed(Duration at, String kind, int status, Duration took) {}

  private interface Request {
    Reply send() throws IOException;
  }

  /// @param folder the folder of their journal
  /// @param first the number of their first order
  public HttpBuyers(Path folder, long first, HttpTestClient... frontends) throws IOException {
    this.frontends = List.of(frontends);
    this.first = first;
    this.buyers = new RepeatingBuyers(folder, PAUSE, PAUSE_AFTER_ERROR, this::buy);
  }

  /// Starts clients that buy.
  public HttpBuyers buying(int count) {
    buyers.start(count);
    return this;
  }

  private OptionalLong buy(int buyer, String key, int attempt) {
    HttpTestClient frontend = frontends.get((buyer + attempt) % frontends.size());
    Reply reply = timed("buy", () -> buy(frontend, key));
    if (reply == null) {
      return OptionalLong.empty();
    }
    assertThat(reply.status()).as(reply.body()).isIn(200, 503, 504);
    if (reply.status() != 200) {
      return OptionalLong.empty();
    }
    Matcher number = NUMBER.matcher(reply.body());
    assertThat(number.find()).as(reply.body()).isTrue();
    return OptionalLong.of(Long.parseLong(number.group(1)));
  }

  /// Starts clients that repeatedly read one path.
  public HttpBuyers asking(int count, String kind, String path) {
    for (int i = 0; i < count; i++) {
      HttpTestClient frontend = frontends.get(i % frontends.size());
      readers.execute(() -> {
        while (reading) {
          long most = StoreProcesses.TUX - first - bought();
          Reply reply = timed(kind, () -> frontend.get(path));
          if (reply != null && reply.status() == 200 && stock(reply) > most) {
            staleReads.add(reply.body());
          }
          LockSupport.parkNanos((reply == null ? PAUSE_AFTER_ERROR : PAUSE).toNanos());
        }
      });
    }
    return this;
  }

  /// The stock of Tux; 0 if this is no reply about it.
  private static long stock(Reply reply) {
    Matcher stock = STOCK.matcher(reply.body());
    return stock.find() ? Long.parseLong(stock.group(1)) : 0;
  }

  /// @return null if the frontend is unavailable
  private @Nullable Reply timed(String kind, Request request) {
    long start = System.nanoTime();
    Reply reply;
    try {
      reply = request.send();
    } catch (IOException away) {
      reply = null;
    }
    requests.add(
        new Timed(
            Duration.ofNanos(start - begin),
            kind,
            reply == null ? 0 : reply.status(),
            Duration.ofNanos(System.nanoTime() - start)));
    return reply;
  }

  /// Returns the number of acknowledged purchases so far.
  public long bought() {
    return buyers.acknowledged();
  }

  /// Returns the time since the creation of the clients.
  public Duration now() {
    return Duration.ofNanos(System.nanoTime() - begin);
  }

  /// Returns the requests of one kind that started in a time range.
  public List<Timed> requests(String kind, Duration from, Duration to) {
    return requests.stream()
        .filter(it -> it.kind.equals(kind) && it.at.compareTo(from) >= 0 && it.at.compareTo(to) < 0)
        .toList();
  }

  /// Stops the clients and waits until they have finished their current requests.
  public void stop() throws ExecutionException, InterruptedException {
    reading = false;
    buyers.stop();
    readers.close();
  }

  /// Checks, after [#stop], that every acknowledged order exists once with its line, that the order
  /// numbers have no gap, that a retry with the same key gets the same response, and that no client
  /// read a stock without an order that was acknowledged before.
  public void checkAgainst(HttpTestClient frontend) throws IOException {
    assertThat(staleReads).isEmpty();
    SortedMap<Long, String> sales = buyers.sales();
    long next = first + sales.size();
    assertThat(sales.keySet())
        .containsExactlyElementsOf(LongStream.range(first, next).boxed().toList());
    assertThat(frontend.get("/products/Tux").body())
        .contains("\"quantity\":" + (StoreProcesses.TUX - next));
    for (long number : sales.keySet()) {
      assertThat(frontend.get("/orders/" + number).body())
          .contains(
              String.format(Locale.ROOT, "\"number\":%d,\"name\":\"Tux\",\"quantity\":1,", number));
    }
    assertThat(frontend.failedChecks()).isEmpty();
    long step = 1 + sales.size() / REPEATS;
    for (Map.Entry<Long, String> sale : sales.entrySet()) {
      if (sale.getKey() % step == 0) {
        Reply reply = buy(frontend, sale.getValue());
        assertThat(reply.body()).isEqualTo("{\"data\":{\"order_number\":%d}}", sale.getKey());
        assertThat(reply.header("Idempotency-Replayed")).containsExactly("true");
      }
    }
  }

  private static Reply buy(HttpTestClient frontend, String key) throws IOException {
    return frontend.post("/orders", "{\"name\":\"Tux\",\"quantity\":1}", "Idempotency-Key", key);
  }

  @Override
  public void close() {
    reading = false;
    buyers.close();
    readers.shutdownNow();
  }
}
