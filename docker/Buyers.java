import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.UUID;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Pattern;

/// `java Buyers.java URL BUYS [COMMAND…]` buys at least BUYS times from a store that has no other
/// customers. Each purchase has a key and is repeated until it is answered 200. After half of the
/// purchases, COMMAND is run, which injects a fault; the clients buy until COMMAND has exited. Then
/// nothing that was acknowledged may be lost or done twice. These checks, too, repeat a request that is
/// answered 503 or 504 (no answer in time), and no other:
///
/// - order numbers are consecutive and unique;
/// - each order exists as it was placed;
/// - each key still gets its first number;
/// - stock has decreased by the number of units sold.
public final class Buyers {
  private static final int CLIENTS = 8;
  private static final Duration TIMEOUT = Duration.ofSeconds(90);
  private static final long PAUSE_NANOS = 20_000_000;
  private static final Pattern ITEM =
      Pattern.compile("\"name\":\"([^\"]+)\",\"price\":[0-9.]+,\"quantity\":(\\d+)");
  private static final Pattern NEXT = Pattern.compile("\"next\":\"([^\"]+)\"");
  private static final Pattern PLACED = Pattern.compile("\\{\"data\":\\{\"order_number\":(\\d+)}}");

  private final HttpClient client =
      HttpClient.newBuilder().connectTimeout(Duration.ofSeconds(2)).build();
  private final AtomicInteger repeats = new AtomicInteger();
  private final String url;
  private final CountDownLatch halfDone;
  private final CountDownLatch allDone;

  private Buyers(String url, int buys) {
    this.url = url;
    this.halfDone = new CountDownLatch(buys / 2);
    this.allDone = new CountDownLatch(buys);
  }

  private record Item(String name, long quantity) {}

  private record Buy(String key, String name) {
    String body() {
      return String.format(Locale.ROOT, "{\"name\":\"%s\",\"quantity\":1}", name);
    }
  }

  public static void main(String[] args) throws Exception {
    int buys = Integer.parseInt(args[1]);
    new Buyers(args[0], buys).run(buys, List.of(args).subList(2, args.length));
  }

  private void run(int buys, List<String> command) throws Exception {
    var before = items();
    var sold = new ConcurrentSkipListMap<Long, Buy>();
    var wanted = new ConcurrentLinkedQueue<>(wanted(before));
    try (var threads = Executors.newFixedThreadPool(CLIENTS + 1)) {
      var injectFault = threads.submit(() -> injectFault(command));
      var clients = new ArrayList<Future<?>>();
      for (int client = 0; client < CLIENTS; client++) {
        clients.add(threads.submit(() -> {
          for (Buy buy; (allDone.getCount() > 0 || !injectFault.isDone()) && (buy = wanted.poll()) != null; ) {
            long number = buyUntilDone(buy);
            check(sold.put(number, buy) == null, "number " + number + " was assigned twice");
            halfDone.countDown();
            allDone.countDown();
          }
          return null;
        }));
      }
      await(clients);
      await(List.of(injectFault));
      check(sold.size() >= buys, "too little stock: only " + sold.size() + " purchases, expected " + buys);
      check(
          sold.lastKey() - sold.firstKey() == sold.size() - 1,
          String.format(Locale.ROOT, "order numbers are not consecutive: %d purchases have the numbers %d to %d", sold.size(), sold.firstKey(), sold.lastKey()));
      check(command.isEmpty() || repeats.get() > 0, "the fault had no effect, no request was repeated: " + command);
      var kept = new ArrayList<Future<?>>();
      sold.forEach((number, buy) -> kept.add(threads.submit(() -> isKept(number, buy))));
      await(kept);
    }
    check(
        units(before) - units(items()) == sold.size(),
        String.format(Locale.ROOT, "%d units sold, but the stock decreased by %d", sold.size(), units(before) - units(items())));
    System.out.printf(
        Locale.ROOT, "%d purchases, numbers %d to %d: none lost, none duplicated; %d repeats%n",
        sold.size(), sold.firstKey(), sold.lastKey(), repeats.get());
  }

  /// All products.
  private List<Item> items() throws Exception {
    var items = new ArrayList<Item>();
    String after = "";
    do {
      String page = get("/products?limit=200" + after).body();
      ITEM.matcher(page).results().forEach(item -> items.add(new Item(item.group(1), Long.parseLong(item.group(2)))));
      var next = NEXT.matcher(page);
      after = next.find() ? "&after=" + next.group(1).replace(" ", "%20") : "";
    } while (!after.isEmpty());
    return items;
  }

  /// At most half of the units of each product, so that none is sold out.
  private static List<Buy> wanted(List<Item> before) {
    var wanted = new ArrayList<Buy>();
    for (var item : before) {
      for (long unit = 0; unit < item.quantity / 2; unit++) {
        wanted.add(new Buy(UUID.randomUUID().toString(), item.name));
      }
    }
    Collections.shuffle(wanted);
    return wanted;
  }

  private Void injectFault(List<String> command) throws Exception {
    check(halfDone.await(TIMEOUT.toSeconds(), TimeUnit.SECONDS), "fewer than half of the purchases were done within " + TIMEOUT);
    if (!command.isEmpty()) {
      int code = new ProcessBuilder(command).inheritIO().start().waitFor();
      check(code == 0, command + " exited with " + code);
    }
    return null;
  }

  /// @return the order's number. Any answer except 200, 503 and 504 is a failure.
  private long buyUntilDone(Buy buy) throws Exception {
    long end = System.nanoTime() + TIMEOUT.toNanos();
    String last = "";
    while (System.nanoTime() < end) {
      try {
        var answer = send(purchase(buy));
        var placed = PLACED.matcher(answer.body());
        if (answer.statusCode() == 200 && placed.matches()) {
          return Long.parseLong(placed.group(1));
        }
        last = answer.statusCode() + " " + answer.body();
        check(isNoAnswer(answer), "unexpected answer to a purchase: expected 200, 503 or 504, got " + last);
      } catch (IOException e) {
        last = e.toString();
      }
      repeats.incrementAndGet();
      LockSupport.parkNanos(PAUSE_NANOS);
    }
    throw new IllegalStateException("a purchase did not succeed within " + TIMEOUT + ", last: " + last);
  }

  private Void isKept(long number, Buy buy) throws Exception {
    var again = answer(purchase(buy));
    check(
        again.body().equals(String.format(Locale.ROOT, "{\"data\":{\"order_number\":%d}}", number))
            && again.headers().firstValue("Idempotency-Replayed").orElse("").equals("true"),
        String.format(Locale.ROOT, "repeating order %d with its key returned %s", number, again.body()));
    String order = get("/orders/" + number).body();
    check(
        order.contains(String.format(Locale.ROOT, "\"number\":%d,\"name\":\"%s\",\"quantity\":1,", number, buy.name)),
        String.format(Locale.ROOT, "order %d of %s is stored as %s", number, buy.name, order));
    return null;
  }

  private HttpRequest.Builder purchase(Buy buy) {
    return request("/orders").header("Idempotency-Key", buy.key).POST(HttpRequest.BodyPublishers.ofString(buy.body()));
  }

  private HttpResponse<String> get(String path) throws Exception {
    var answer = answer(request(path));
    check(answer.statusCode() == 200, path + ": expected 200, got " + answer.statusCode() + " " + answer.body());
    return answer;
  }

  private HttpRequest.Builder request(String path) {
    return HttpRequest.newBuilder(URI.create(url + path)).timeout(Duration.ofSeconds(15));
  }

  /// Sends a request until it is answered otherwise than 503 or 504, at most for TIMEOUT.
  private HttpResponse<String> answer(HttpRequest.Builder request) throws Exception {
    long end = System.nanoTime() + TIMEOUT.toNanos();
    var answer = send(request);
    while (isNoAnswer(answer) && System.nanoTime() < end) {
      LockSupport.parkNanos(PAUSE_NANOS);
      answer = send(request);
    }
    return answer;
  }

  private HttpResponse<String> send(HttpRequest.Builder request) throws Exception {
    return client.send(request.build(), BodyHandlers.ofString());
  }

  /// 503 and 504 say that a service did not answer in time, and nothing about the store's state.
  private static boolean isNoAnswer(HttpResponse<String> answer) {
    return answer.statusCode() == 503 || answer.statusCode() == 504;
  }

  private static long units(List<Item> items) {
    return items.stream().mapToLong(Item::quantity).sum();
  }

  private static void await(List<? extends Future<?>> all) throws Exception {
    for (var one : all) {
      one.get();
    }
  }

  private static void check(boolean condition, String message) {
    if (!condition) {
      throw new IllegalStateException(message);
    }
  }
}
