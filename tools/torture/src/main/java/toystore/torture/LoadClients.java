package toystore.torture;

import java.io.IOException;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.Locale;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import toystore.clients.RawClient;

/// Clients in a closed loop, each on its own connection: a client sends the next request when the
/// previous one is answered, even with 503. Without a pause between them, this is the highest
/// possible load per connection. One thread.
final class LoadClients implements AutoCloseable {
  /// The requests to send.
  enum RequestMix {
    SEARCH,
    /// Half queries, half buys; half of the buys have an `Idempotency-Key` of the client.
    MIXED,
    /// The liveness check, on the management port.
    LIVENESS
  }

  private static final Duration TIMEOUT = Duration.ofSeconds(10);
  private static final String BUY = "{\"name\":\"Tux\",\"quantity\":1}";

  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private final int port;
  private final RequestMix mix;
  private final Duration timeout;
  private final Duration pause;
  private final String name;
  private LoadResult result = new LoadResult();
  private long since = System.nanoTime();
  private volatile boolean sending = true;

  /// Starts clients that send without a pause.
  LoadClients(int port, int count, RequestMix mix, long seed) {
    this(port, count, mix, seed, TIMEOUT, Duration.ZERO);
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
    this.name = Long.toHexString(seed) + "-" + count + "-" + System.nanoTime();
    var random = new SplittableRandom(seed);
    for (int i = 0; i < count; i++) {
      SplittableRandom own = random.split();
      threads.execute(() -> send(own));
    }
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
  LoadResult drain() {
    close();
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

  private void send(SplittableRandom random) {
    @Nullable RawClient connection = null;
    while (sending) {
      connection = exchange(connection, request(random));
      LockSupport.parkNanos(pause.toNanos());
    }
    disconnect(connection);
  }

  private String request(SplittableRandom random) {
    return switch (mix) {
      case SEARCH -> get("/products?q=tux");
      case LIVENESS -> get("/health/liveness");
      case MIXED -> random.nextBoolean() ? get("/products/Tux") : buy(random);
    };
  }

  private static String get(String path) {
    return String.format(Locale.ROOT, "GET %s HTTP/1.1\r\nHost: localhost\r\n\r\n", path);
  }

  private String buy(SplittableRandom random) {
    String key =
        random.nextBoolean()
            ? String.format(Locale.ROOT, "Idempotency-Key: %s-%x\r\n", name, random.nextLong())
            : "";
    return String.format(
        Locale.ROOT,
        "POST /orders HTTP/1.1\r\nHost: localhost\r\nContent-Length: %d\r\n%s\r\n%s",
        BUY.length(),
        key,
        BUY);
  }

  /// Sends a request.
  ///
  /// @param open null: a new connection is opened
  /// @return the connection for the next request, if the store keeps it open
  private @Nullable RawClient exchange(@Nullable RawClient open, String request) {
    long begin = System.nanoTime();
    boolean begun = false;
    @Nullable RawClient connection = open;
    try {
      if (connection == null) {
        connection = new RawClient(port, timeout);
      }
      begun = connection.say(request).awaitAnswer();
      String answer = begun ? connection.answer() : "";
      if (answer.contains("\r\n\r\n")) {
        count(answer, request.startsWith("POST"), System.nanoTime() - begin);
        if (!answer.contains("\r\nConnection: close\r\n")) {
          return connection;
        }
      } else {
        lost(begun, "the store closed the connection");
      }
    } catch (IOException e) {
      lost(begun || e instanceof SocketTimeoutException, e.toString());
    }
    disconnect(connection);
    return null;
  }

  private synchronized void count(String answer, boolean buy, long nanos) {
    result.count(
        Integer.parseInt(answer, 9, 12, 10),
        answer.contains("\r\nRetry-After: "),
        buy,
        nanos,
        answer);
  }

  /// @param unanswered whether the response had begun or did not come in time
  private synchronized void lost(boolean unanswered, String why) {
    if (!unanswered) {
      result.closed++;
    } else if (result.unanswered++ == 0) {
      result.firstFailure = why;
    }
  }

  private static void disconnect(@Nullable RawClient connection) {
    try {
      if (connection != null) {
        connection.close();
      }
    } catch (IOException gone) {
      // the connection is closed
    }
  }

  @Override
  public void close() {
    sending = false;
    threads.close();
  }
}
