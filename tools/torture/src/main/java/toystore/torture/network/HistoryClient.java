package toystore.torture.network;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import toystore.clients.RawClient;
import toystore.torture.network.RecordedRequest.Line;
import toystore.torture.network.RecordedRequest.RequestKind;

/// A client that records all its attempts in a [History]. It retries requests without a response,
/// sends requests twice at the same time, disconnects in the middle of a request and returns later
/// or never, reuses a key with a different body, and retries old requests of any client. Its
/// actions depend only on its random numbers and its responses. One thread.
final class HistoryClient {
  /// Every request must be answered within this time.
  private static final Duration TIMEOUT = Duration.ofSeconds(90);

  private static final int REQUESTS_PER_RESTOCK = 4;
  private final int number;
  private final SplittableRandom random;
  private final int port;
  private final History history;
  private long keys;

  /// A request with its key.
  ///
  /// @param key empty: none
  record Keyed(String key, RecordedRequest request) {}

  /// @param port where requests go
  HistoryClient(int number, SplittableRandom random, int port, History history) {
    this.number = number;
    this.random = random;
    this.port = port;
    this.history = history;
  }

  /// Sends a buy or a query, and maybe retries an old request.
  void shop() {
    switch (random.nextInt(10)) {
      case 0, 1, 2 -> {
        ProductGroup group = any(history.groups());
        query(group, any(group.products()));
      }
      case 3 -> buyWithoutKey();
      default -> buy();
    }
    if (random.nextInt(4) == 0) {
      history.any(random).forEach(this::send);
    }
    pause(15);
  }

  /// Restocks as the administrator until the buyers have finished. Demand stays above supply.
  ///
  /// @param served the number of requests that the buyers have finished
  void restock(BooleanSupplier open, LongSupplier served) {
    long restocked = 0;
    while (open.getAsBoolean()) {
      if (restocked * REQUESTS_PER_RESTOCK < served.getAsLong()) {
        ProductGroup group = any(history.groups());
        restock(group, any(group.products()), random.nextInt(1, 5));
        restocked++;
      }
      pause(10);
    }
  }

  void restock(ProductGroup group, String product, int quantity) {
    repeatUntilAnswered(keyed(RecordedRequest.restock(group, product, quantity)));
  }

  void query(ProductGroup group, String product) {
    send(RecordedRequest.query(group, product), "", true, timeout());
  }

  private void buy() {
    Keyed first = keyed(order(any(history.groups())));
    Keyed other = new Keyed(first.key, order(first.request.group()));
    boolean conflictingBodies = random.nextInt(8) == 0;
    while (true) {
      Keyed now = conflictingBodies && random.nextBoolean() ? other : first;
      boolean answered =
          switch (random.nextInt(20)) {
            case 0 -> abandon(now, random.nextDouble());
            case 1, 2 -> abandon(now, 1);
            case 3, 4, 5 -> sendTwice(now, conflictingBodies ? other : now);
            default -> send(now);
          };
      if (answered || random.nextInt(25) == 0) {
        history.remember(first);
        history.remember(now);
        return;
      }
      pause(150);
    }
  }

  /// If the outcome is unknown, the response contains the key for a retry.
  private void buyWithoutKey() {
    RecordedRequest order = order(any(history.groups()));
    Attempt once = send(order, "", false, timeout());
    if (once.outcome() == Attempt.Outcome.UNKNOWN
        && !once.key().isEmpty()
        && random.nextInt(4) > 0) {
      repeatUntilAnswered(new Keyed(once.key(), order));
    }
  }

  void repeatUntilAnswered(Keyed keyed) {
    long end = System.nanoTime() + TIMEOUT.toNanos();
    while (!send(keyed)) {
      if (System.nanoTime() > end) {
        throw new AssertionError("no response within " + TIMEOUT + ": " + keyed);
      }
      pause(150);
    }
  }

  private Keyed keyed(RecordedRequest request) {
    return new Keyed("client-" + number + "-" + keys++, request);
  }

  private boolean sendTwice(Keyed one, Keyed other) {
    Duration timeout = timeout();
    Duration otherTimeout = timeout();
    var beside =
        CompletableFuture.supplyAsync(
            () -> send(other.request, other.key, true, otherTimeout), Thread::startVirtualThread);
    boolean answered = send(one.request, one.key, true, timeout).outcome().isAnswer();
    return beside.join().outcome().isAnswer() || answered;
  }

  /// Sends a request or a part of it and disconnects. A partial request must have no effect, so it
  /// is not recorded in the history.
  ///
  /// @param share the share of the bytes to send: 1 is the whole request
  /// @return false: there is no answer
  private boolean abandon(Keyed keyed, double share) {
    String bytes = keyed.request.toHttp(keyed.key);
    int length = (int) Math.min(bytes.length(), Math.floor(bytes.length() * share));
    long call = history.now();
    try (var connection = new RawClient(port, timeout())) {
      connection.send(bytes.substring(0, length));
    } catch (IOException lost) {
      // fewer bytes were sent
    }
    if (length == bytes.length()) {
      record(call, keyed.request, keyed.key, true, null);
    }
    return false;
  }

  /// @return whether the request needs no retry
  private boolean send(Keyed keyed) {
    return send(keyed.request, keyed.key, true, timeout()).outcome().isAnswer();
  }

  private Attempt send(RecordedRequest request, String key, boolean own, Duration timeout) {
    long call = history.now();
    RecordedResponse answer = answer(request.toHttp(key), timeout);
    String named = key.isEmpty() && answer != null ? answer.key() : key;
    return record(call, request, named, own, answer);
  }

  /// @return null if no complete response came in time
  private @Nullable RecordedResponse answer(String bytes, Duration timeout) {
    try (var connection = new RawClient(port, timeout)) {
      return RecordedResponse.of(connection.send(bytes).rest());
    } catch (IOException lost) {
      return null;
    }
  }

  private Attempt record(
      long call,
      RecordedRequest request,
      String key,
      boolean own,
      @Nullable RecordedResponse answer) {
    var attempt = new Attempt(number, call, history.now(), request, key, own, answer);
    history.add(attempt);
    return attempt;
  }

  /// Usually longer than the slowest response of the store, sometimes shorter.
  private Duration timeout() {
    return Duration.ofMillis(random.nextInt(4) == 0 ? random.nextInt(100, 1_000) : 4_000);
  }

  private RecordedRequest order(ProductGroup group) {
    List<String> products =
        random.nextInt(4) > 0 ? List.of(any(group.products())) : group.products();
    List<Line> lines = products.stream().map(it -> new Line(it, random.nextInt(1, 5))).toList();
    return new RecordedRequest(RequestKind.BUY, group, lines);
  }

  private <T> T any(List<T> of) {
    return of.get(random.nextInt(of.size()));
  }

  private void pause(int maxMillis) {
    LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(random.nextInt(maxMillis)));
  }
}
