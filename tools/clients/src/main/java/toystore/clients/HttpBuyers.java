package toystore.clients;

import static toystore.common.RootLocale.format;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Queue;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import toystore.clients.StoreHttpClient.RepeatedRequest;
import toystore.clients.StoreHttpClient.Reply;

/// [RepeatingBuyers] over the REST API, and clients that only read. A buyer tries the next frontend
/// if one is unavailable. The duration of each request is recorded.
///
/// As a program with the arguments `URL BUYS [COMMAND…]`, it buys at least BUYS times from a store
/// that has no other customers. After half of the purchases it runs COMMAND, which injects a fault;
/// the clients buy until COMMAND has exited. Then it checks the orders and the stock. It needs no
/// other libraries than the services have.
public final class HttpBuyers extends RepeatingBuyers {
  private static final Pattern PLACED = Pattern.compile("\\{\"data\":\\{\"order_number\":(\\d+)}}");
  private static final Duration PAUSE = Duration.ofMillis(10);
  private static final int REPEATS = 1_000;
  private static final int CLIENTS = 8;

  private final List<StoreHttpClient> frontends;
  private final Map<String, Long> stock;
  private final List<String> units;
  private final Queue<Timed> requests = new ConcurrentLinkedQueue<>();
  private final long begin = System.nanoTime();

  /// One request and its response.
  ///
  /// @param at when the request started, measured from the creation of the clients
  /// @param status the HTTP status; 0: the frontend was unavailable
  public record Timed(Duration at, String kind, int status, Duration took) {}

  /// Buyers of the product Tux.
  ///
  /// @param folder the folder of their journal
  /// @param first the number of their first order
  public HttpBuyers(Path folder, long first, StoreHttpClient... frontends) throws IOException {
    this(folder, Map.of("Tux", StoreProcesses.TUX - first), List.of("Tux"), frontends);
  }

  /// @param stock of each product before
  /// @param units the product of each purchase, in turns
  private HttpBuyers(
      Path folder, Map<String, Long> stock, List<String> units, StoreHttpClient... frontends)
      throws IOException {
    super(folder, PAUSE);
    this.frontends = List.of(frontends);
    this.stock = stock;
    this.units = units;
  }

  public static void main(String[] args) throws Exception {
    var frontend = new StoreHttpClient(URI.create(args[0]), 0);
    int buys = Integer.parseInt(args[1]);
    List<String> command = List.of(args).subList(2, args.length);
    Map<String, Long> stock = stock(frontend);
    Path folder = Files.createTempDirectory("buyers-");
    try (var buyers = new HttpBuyers(folder, stock, halfOf(stock), frontend).buying(CLIENTS)) {
      buyers.await(buys / 2);
      if (!command.isEmpty()) {
        int code = new ProcessBuilder(command).inheritIO().start().waitFor();
        check(code == 0, "%s exited with %d", command, code);
      }
      buyers.await(buys);
      buyers.stop();
      long repeats = buyers.requests.stream().filter(it -> it.status() != 200).count();
      check(command.isEmpty() || repeats > 0, "no request was repeated: %s", command);
      SortedMap<Long, String> sales = buyers.sales();
      buyers.check(frontend, sales.firstKey(), "", 0);
      System.out.printf(
          Locale.ROOT,
          "%d purchases, numbers %d to %d: none lost, none duplicated; %d repeats%n",
          sales.size(),
          sales.firstKey(),
          sales.lastKey(),
          repeats);
    } finally {
      Project.remove(folder);
    }
  }

  /// Half of the units of each product, so that none is sold out, in random order.
  private static List<String> halfOf(Map<String, Long> stock) {
    var units = new ArrayList<String>();
    stock.forEach(
        (name, quantity) -> units.addAll(Collections.nCopies(Math.toIntExact(quantity / 2), name)));
    Collections.shuffle(units);
    return units;
  }

  private void await(int buys) {
    while (bought() < buys) {
      LockSupport.parkNanos(PAUSE.toNanos());
    }
  }

  /// Starts clients that buy.
  public HttpBuyers buying(int count) {
    start(count);
    return this;
  }

  @Override
  protected OptionalLong buy(int buyer, String key) {
    Reply reply =
        sendUntilDecided("buy", it -> buy(frontends.get((buyer + it) % frontends.size()), key));
    Matcher placed = PLACED.matcher(reply.body());
    check(
        reply.status() == 200 && placed.matches(),
        "purchase: expected 200, 429, 503 or 504, got %d %s",
        reply.status(),
        reply.body());
    return OptionalLong.of(Long.parseLong(placed.group(1)));
  }

  /// Starts clients that repeatedly read one path.
  public HttpBuyers asking(int count, String kind, String path) {
    start(
        count,
        reader -> {
          StoreHttpClient frontend = frontends.get(reader % frontends.size());
          while (areRunning()) {
            long most = stock.getOrDefault("Tux", 0L) - bought();
            Reply reply = sendUntilDecided(kind, _ -> frontend.get(path));
            check(
                reply.status() != 200 || quantityOfTux(reply) <= most,
                "read after more was bought: %s",
                reply.body());
            LockSupport.parkNanos(PAUSE.toNanos());
          }
        });
    return this;
  }

  /// The stock of Tux; 0 if this is no reply about the product.
  private static long quantityOfTux(Reply reply) {
    JsonNode data = reply.json().required("data");
    return data.path("name").asString("").equals("Tux") && !data.has("number")
        ? data.required("quantity").asLong()
        : 0;
  }

  private Reply sendUntilDecided(String kind, RepeatedRequest request) {
    return StoreHttpClient.sendUntilDecided(it -> timed(kind, request, it));
  }

  private Reply timed(String kind, RepeatedRequest request, int number) throws IOException {
    long start = System.nanoTime();
    int status = 0;
    try {
      Reply reply = request.send(number);
      status = reply.status();
      return reply;
    } finally {
      long now = System.nanoTime();
      requests.add(
          new Timed(Duration.ofNanos(start - begin), kind, status, Duration.ofNanos(now - start)));
    }
  }

  /// Returns the number of acknowledged purchases so far.
  public long bought() {
    return answers();
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

  /// Checks, after [#stop], that every acknowledged order exists once with its line, that the order
  /// numbers have no gap, that a retry with the same key gets the same response, and that the stock
  /// decreased by what was sold. The audit must find nothing.
  public void checkAgainst(StoreHttpClient frontend) throws IOException {
    checkAgainst(frontend, "", 0, 0);
  }

  /// As [#checkAgainst(StoreHttpClient)], while others bought single units of one other product.
  ///
  /// @param earlier orders of others before
  /// @param others orders of others meanwhile: all that were not acknowledged to these clients
  public void checkAgainst(StoreHttpClient frontend, String product, long earlier, long others)
      throws IOException {
    long first = StoreProcesses.TUX - stock.getOrDefault("Tux", 0L) + earlier;
    check(frontend, first, product, others);
    List<String> failed = frontend.failedChecks();
    check(failed.isEmpty(), "audit: %s", failed);
  }

  /// @param first the number of the first order
  private void check(StoreHttpClient frontend, long first, String other, long others)
      throws IOException {
    SortedMap<Long, String> sales = sales();
    long next = first + sales.size() + others;
    check(
        sales.isEmpty() || (sales.firstKey() >= first && sales.lastKey() < next),
        "order numbers: expected %d to %d, got %d to %d",
        first,
        next - 1,
        sales.firstKey(),
        sales.lastKey());
    var left = new TreeMap<>(stock);
    long step = 1 + sales.size() / REPEATS;
    for (long number = first; number < next; number++) {
      String key = sales.get(number);
      String name = key == null ? other : product(key);
      check(!name.isEmpty(), "order numbers: %d is missing", number);
      left.computeIfPresent(name, (_, quantity) -> quantity - 1);
      String order = ok(frontend, "/orders/" + number).body();
      check(
          order.contains(format("\"number\":%d,\"name\":\"%s\",\"quantity\":1,", number, name)),
          "order %d of %s is %s",
          number,
          name,
          order);
      if (key != null && number % step == 0) {
        Reply reply = StoreHttpClient.sendUntilDecided(_ -> buy(frontend, key));
        check(
            reply.body().equals("{\"data\":{\"order_number\":" + number + "}}")
                && reply.header("Idempotency-Replayed").equals(List.of("true")),
            "order %d was repeated with its key: %s",
            number,
            reply.body());
      }
    }
    Map<String, Long> now = stock(frontend);
    now.keySet().retainAll(stock.keySet());
    check(now.equals(left), "stock: expected %s, got %s", left, now);
  }

  /// The stock of all products.
  private static Map<String, Long> stock(StoreHttpClient frontend) {
    var stock = new TreeMap<String, Long>();
    String after = "";
    do {
      JsonNode page = ok(frontend, "/products?limit=200" + after).json().required("data");
      page.required("items")
          .forEach(
              it -> stock.put(it.required("name").asString(), it.required("quantity").asLong()));
      String next = page.path("next").asString("");
      after = next.isEmpty() ? "" : "&after=" + next.replace(" ", "%20");
    } while (!after.isEmpty());
    return stock;
  }

  private static Reply ok(StoreHttpClient frontend, String path) {
    Reply reply = StoreHttpClient.sendUntilDecided(_ -> frontend.get(path));
    check(reply.status() == 200, "%s: expected 200, got %d %s", path, reply.status(), reply.body());
    return reply;
  }

  private Reply buy(StoreHttpClient frontend, String key) throws IOException {
    String body = format("{\"name\":\"%s\",\"quantity\":1}", product(key));
    return frontend.post("/orders", body, "Idempotency-Key", key);
  }

  private String product(String key) {
    return units.get(purchase(key) % units.size());
  }

  private static void check(boolean condition, String message, @Nullable Object... details) {
    if (!condition) {
      throw new AssertionError(String.format(Locale.ROOT, message, details));
    }
  }
}
