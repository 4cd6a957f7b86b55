package toystore.torture;

import static toystore.common.RootLocale.format;

import java.io.EOFException;
import java.io.IOException;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.SplittableRandom;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import toystore.clients.ClientThreads;
import toystore.clients.RawClient;

/// Clients in a closed loop, each on its own connection: a client sends the next request when the
/// previous one is answered, even with 503. Without a pause between them, this is the highest
/// possible load per connection. One thread.
final class LoadClients extends ClientThreads {
  static final Duration TIMEOUT = Duration.ofSeconds(10);
  private static final String BUY = "{\"name\":\"Tux\",\"quantity\":1}";

  private final int port;
  private final RequestMix mix;
  private final Duration timeout;
  private final Duration pause;
  private LoadResult result = new LoadResult();
  private long since = System.nanoTime();

  /// The requests to send.
  enum RequestMix {
    SEARCH(_ -> get("/products?q=tux")),
    /// Half queries, half buys; half of the buys have an `Idempotency-Key` of the client.
    BUYS_AND_QUERIES(
        random -> random.nextBoolean() ? get("/products/Tux") : buy(random.nextBoolean())),
    /// The liveness check, on the management port, each on a new connection: its response has
    /// chunks, which [RawClient] leaves unread.
    LIVENESS(_ -> "GET /health/liveness HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n");

    private final Function<SplittableRandom, String> next;

    RequestMix(Function<SplittableRandom, String> next) {
      this.next = next;
    }
  }

  /// Starts clients.
  ///
  /// @param timeout until when a request must be answered
  /// @param pause of a client between two requests
  LoadClients(int port, int count, RequestMix mix, long seed, Duration timeout, Duration pause) {
    this.port = port;
    this.mix = mix;
    this.timeout = timeout;
    this.pause = pause;
    start(count, it -> send(new SplittableRandom(seed + it)));
  }

  /// Lets the clients send for a given time.
  ///
  /// @return the responses since the last result
  LoadResult run(Duration time) throws InterruptedException {
    TimeUnit.NANOSECONDS.sleep(time.toNanos());
    return next();
  }

  /// Stops sending and waits for outstanding responses.
  ///
  /// @return these responses
  LoadResult drain() throws InterruptedException {
    stop();
    return next();
  }

  private synchronized LoadResult next() {
    LoadResult ended = result;
    long now = System.nanoTime();
    ended.nanos = now - since;
    result = new LoadResult();
    since = now;
    return ended;
  }

  private void send(SplittableRandom random) throws IOException {
    @Nullable RawClient connection = null;
    try {
      while (areRunning()) {
        connection = exchange(connection, mix.next.apply(random));
        LockSupport.parkNanos(pause.toNanos());
      }
    } finally {
      if (connection != null) {
        connection.close();
      }
    }
  }

  private static String get(String path) {
    return "GET " + path + " HTTP/1.1\r\nHost: localhost\r\n\r\n";
  }

  private static String buy(boolean hasKey) {
    return format(
        "POST /orders HTTP/1.1\r\nHost: localhost\r\nContent-Length: %d\r\n%s\r\n%s",
        BUY.length(), hasKey ? "Idempotency-Key: " + UUID.randomUUID() + "\r\n" : "", BUY);
  }

  /// Sends a request.
  ///
  /// @param open null: a new connection is opened
  /// @return the connection for the next request, if the store keeps it open
  private @Nullable RawClient exchange(@Nullable RawClient open, String request)
      throws IOException {
    long begin = System.nanoTime();
    boolean begun = false;
    @Nullable RawClient connection = open;
    try {
      if (connection == null) {
        connection = new RawClient(port, timeout);
      }
      begun = connection.send(request).awaitAnswer();
      String answer = begun ? connection.answer() : "";
      if (!answer.contains("\r\n\r\n")) {
        throw new EOFException("the store closed the connection");
      }
      count(answer, request.startsWith("POST"), System.nanoTime() - begin);
      if (!answer.contains("\r\nConnection: close\r\n")) {
        return connection;
      }
    } catch (IOException e) {
      countLost(begun || e instanceof SocketTimeoutException, e);
    }
    if (connection != null) {
      connection.close();
    }
    return null;
  }

  private synchronized void count(String answer, boolean buy, long nanos) {
    result.count(answer, buy, nanos);
  }

  /// @param unanswered whether the response had begun or did not come in time
  private synchronized void countLost(boolean unanswered, IOException why) {
    if (unanswered) {
      result.calls.addMissing(why);
    } else {
      result.closed++;
    }
  }
}
