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

/// Customers who do not give up: `java Buyers.java URL BUYS [COMMAND…]` buys from a store that nobody
/// else buys from, each time with a key, and repeats what was not answered with 200. Half way the
/// command is run, which kills what it likes; they buy until it has ended, and so many times at least.
/// In the end nothing that was acknowledged may be lost or have happened twice:
///
/// - order numbers are consecutive, and each was given once;
/// - each order is there, as it was placed;
/// - each key still gets the number it got;
/// - stock has fallen by what was sold.
public final class Buyers {
  private static final int CLIENTS = 8;
  private static final Duration PATIENCE = Duration.ofSeconds(90);
  private static final long PAUSE_NANOS = 20_000_000;
  private static final Pattern ITEM =
      Pattern.compile("\"name\":\"([^\"]+)\",\"price\":[0-9.]+,\"quantity\":(\\d+)");
  private static final Pattern NEXT = Pattern.compile("\"next\":\"([^\"]+)\"");
  private static final Pattern PLACED = Pattern.compile("\\{\"data\":\\{\"order_number\":(\\d+)}}");

  private final HttpClient client =
      HttpClient.newBuilder().connectTimeout(Duration.ofSeconds(2)).build();
  private final AtomicInteger repeats = new AtomicInteger();
  private final String url;
  private final CountDownLatch midst;
  private final CountDownLatch enough;

  private Buyers(String url, int buys) {
    this.url = url;
    this.midst = new CountDownLatch(buys / 2);
    this.enough = new CountDownLatch(buys);
  }

  private record Item(String name, long quantity) {}

  private record Buy(String key, String name) {
    String body() {
      return "{\"name\":\"%s\",\"quantity\":1}".formatted(name);
    }
  }

  public static void main(String[] args) throws Exception {
    int buys = Integer.parseInt(args[1]);
    new Buyers(args[0], buys).run(buys, List.of(args).subList(2, args.length));
  }

  private void run(int buys, List<String> command) throws Exception {
    var shelf = items();
    var sold = new ConcurrentSkipListMap<Long, Buy>();
    var wanted = new ConcurrentLinkedQueue<>(wanted(shelf));
    try (var threads = Executors.newFixedThreadPool(CLIENTS + 1)) {
      var sabotage = threads.submit(() -> sabotage(command));
      var clients = new ArrayList<Future<?>>();
      for (int client = 0; client < CLIENTS; client++) {
        clients.add(threads.submit(() -> {
          for (Buy buy; (enough.getCount() > 0 || !sabotage.isDone()) && (buy = wanted.poll()) != null; ) {
            long number = insist(buy);
            check(sold.put(number, buy) == null, "number " + number + " was given twice");
            midst.countDown();
            enough.countDown();
          }
          return null;
        }));
      }
      await(clients);
      await(List.of(sabotage));
      check(sold.size() >= buys, "the shelves are empty after " + sold.size());
      check(
          sold.lastKey() - sold.firstKey() == sold.size() - 1,
          "%d buys have the numbers %d to %d".formatted(sold.size(), sold.firstKey(), sold.lastKey()));
      check(command.isEmpty() || repeats.get() > 0, "nobody noticed: " + command);
      var kept = new ArrayList<Future<?>>();
      sold.forEach((number, buy) -> kept.add(threads.submit(() -> isKept(number, buy))));
      await(kept);
    }
    check(
        pieces(shelf) - pieces(items()) == sold.size(),
        "%d sold, the stock fell by %d".formatted(sold.size(), pieces(shelf) - pieces(items())));
    System.out.printf(
        "%d buys, numbers %d to %d: none lost, none twice; asked again %d times%n",
        sold.size(), sold.firstKey(), sold.lastKey(), repeats.get());
  }

  /// Everything that is for sale.
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

  /// At most half of what there is of a toy, so that none runs out.
  private static List<Buy> wanted(List<Item> shelf) {
    var wanted = new ArrayList<Buy>();
    for (var item : shelf) {
      for (long piece = 0; piece < item.quantity / 2; piece++) {
        wanted.add(new Buy(UUID.randomUUID().toString(), item.name));
      }
    }
    Collections.shuffle(wanted);
    return wanted;
  }

  private Void sabotage(List<String> command) throws Exception {
    check(midst.await(PATIENCE.toSeconds(), TimeUnit.SECONDS), "no sales");
    if (!command.isEmpty()) {
      int code = new ProcessBuilder(command).inheritIO().start().waitFor();
      check(code == 0, command + " ended with " + code);
    }
    return null;
  }

  /// @return the order's number: 200, in the end. Anything but an answer that says "again" is wrong.
  private long insist(Buy buy) throws Exception {
    long end = System.nanoTime() + PATIENCE.toNanos();
    String last = "";
    while (System.nanoTime() < end) {
      try {
        var answer = post(buy);
        var placed = PLACED.matcher(answer.body());
        if (answer.statusCode() == 200 && placed.matches()) {
          return Long.parseLong(placed.group(1));
        }
        last = answer.statusCode() + " " + answer.body();
        check(answer.statusCode() == 503 || answer.statusCode() == 504, "a buy was answered " + last);
      } catch (IOException e) {
        last = e.toString();
      }
      repeats.incrementAndGet();
      LockSupport.parkNanos(PAUSE_NANOS);
    }
    throw new IllegalStateException("a buy had no answer for " + PATIENCE + ", last: " + last);
  }

  private Void isKept(long number, Buy buy) throws Exception {
    var again = post(buy);
    check(
        again.body().equals("{\"data\":{\"order_number\":%d}}".formatted(number))
            && again.headers().firstValue("Idempotency-Replayed").orElse("").equals("true"),
        "order %d repeated: %s".formatted(number, again.body()));
    String order = get("/orders/" + number).body();
    check(
        order.contains("\"number\":%d,\"name\":\"%s\",\"quantity\":1,".formatted(number, buy.name)),
        "order %d of %s is %s".formatted(number, buy.name, order));
    return null;
  }

  private HttpResponse<String> post(Buy buy) throws Exception {
    return send(request("/orders").header("Idempotency-Key", buy.key).POST(HttpRequest.BodyPublishers.ofString(buy.body())));
  }

  private HttpResponse<String> get(String path) throws Exception {
    var answer = send(request(path));
    check(answer.statusCode() == 200, path + " was answered " + answer.statusCode() + " " + answer.body());
    return answer;
  }

  private HttpRequest.Builder request(String path) {
    return HttpRequest.newBuilder(URI.create(url + path)).timeout(Duration.ofSeconds(15));
  }

  private HttpResponse<String> send(HttpRequest.Builder request) throws Exception {
    return client.send(request.build(), BodyHandlers.ofString());
  }

  private static long pieces(List<Item> items) {
    return items.stream().mapToLong(Item::quantity).sum();
  }

  private static void await(List<? extends Future<?>> all) throws Exception {
    for (var one : all) {
      one.get();
    }
  }

  private static void check(boolean holds, String otherwise) {
    if (!holds) {
      throw new IllegalStateException(otherwise);
    }
  }
}
