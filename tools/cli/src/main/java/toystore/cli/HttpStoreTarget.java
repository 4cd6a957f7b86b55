package toystore.cli;

import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Executors;
import java.util.function.Supplier;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/// The store over HTTP/1.1 with keep-alive connections. Redirects are not followed and no proxy is
/// used. Any thread.
final class HttpStoreTarget implements LoadTarget {
  /// A response.
  ///
  /// @param retryAfterSeconds its `Retry-After`, or 1
  record Answer(int status, String body, long retryAfterSeconds) {
    Answer(int status, String body) {
      this(status, body, 1);
    }
  }

  private static final Duration DEADLINE = Duration.ofSeconds(10);
  private static final JsonMapper JSON = JsonMapper.shared();

  private final URI url;
  private final HttpClient http =
      HttpClient.newBuilder()
          .version(HttpClient.Version.HTTP_1_1)
          .followRedirects(HttpClient.Redirect.NEVER)
          .proxy(HttpClient.Builder.NO_PROXY)
          .connectTimeout(DEADLINE)
          .executor(Executors.newVirtualThreadPerTaskExecutor())
          .build();

  private HttpStoreTarget(URI url) {
    this.url = url;
  }

  static HttpStoreTarget at(String url) {
    try {
      if (url.matches("https?://[^/?#@]+/?")) {
        return new HttpStoreTarget(URI.create(url));
      }
    } catch (IllegalArgumentException noUrl) {
      // told below
    }
    throw CommandRefusal.usage("--url must have the form http://HOST:PORT; got " + url);
  }

  @Override
  public Client client(ClosedLoopLoad.Kind kind) {
    if (kind == ClosedLoopLoad.Kind.UPDATE) {
      throw CommandRefusal.usage(
          "--kind update requires the catalog's gRPC port: --url grpc://HOST:PORT");
    }
    return new HttpLoadClient(kind);
  }

  private final class HttpLoadClient implements Client {
    private final ClosedLoopLoad.Kind kind;
    private final ResponseCheck answers = new ResponseCheck();
    private boolean sellNext;

    HttpLoadClient(ClosedLoopLoad.Kind kind) {
      this.kind = kind;
    }

    @Override
    public Supplier<ResponseCheck.Verdict> ask(String product)
        throws IOException, InterruptedException {
      return switch (kind) {
        case QUERY -> query("/products/", product);
        case LOOKUP -> query("/stocks/", product);
        case BUY -> sale("order_number", order(product));
        case TRADE -> {
          var trade = order(product).put("type", sellNext ? "sell" : "buy");
          sellNext = !sellNext;
          yield sale("transaction_number", trade);
        }
        case UPDATE,
            RATING,
            SEARCH,
            ITEMS,
            REGISTER_ITEM,
            PURCHASE,
            EXCHANGE_XML,
            EXCHANGE_REST,
            EXCHANGE_GRPC ->
            throw new IllegalStateException("another target's kind: " + kind);
      };
    }

    private Supplier<ResponseCheck.Verdict> query(String path, String product)
        throws IOException, InterruptedException {
      var answer = send(request(path + encoded(product)).GET().build());
      return () -> answers.query(product, answer);
    }

    private static ObjectNode order(String product) {
      return JSON.createObjectNode().put("name", product).put("quantity", 1);
    }

    private Supplier<ResponseCheck.Verdict> sale(String number, ObjectNode order)
        throws IOException, InterruptedException {
      var answer =
          send(
              request("/orders")
                  .header("Content-Type", "application/json")
                  .POST(HttpRequest.BodyPublishers.ofString(order.toString()))
                  .build());
      return () -> answers.sale(number, answer);
    }
  }

  /// A request for the HTML page of the store.
  HttpRequest page() {
    return request("/").header("Accept", "text/html").GET().build();
  }

  Answer send(HttpRequest request) throws IOException, InterruptedException {
    var answer = http.send(request, BodyHandlers.ofString());
    var retryAfter =
        answer.headers().firstValue("Retry-After").filter(it -> it.matches("\\d{1,9}"));
    return new Answer(answer.statusCode(), answer.body(), retryAfter.map(Long::valueOf).orElse(1L));
  }

  /// The names on the first page: all of them, or those with units in stock.
  @Override
  public List<String> products(ClosedLoopLoad.Kind kind) throws IOException, InterruptedException {
    String path = kind.isForStocks() ? "/stocks" : "/products";
    var answer = send(request(path + "?limit=200").GET().build());
    if (answer.status() != 200) {
      throw new CommandRefusal(
          String.format(
              Locale.ROOT,
              "GET %s%s answered with status %d; expected 200",
              url,
              path,
              answer.status()));
    }
    var names = new ArrayList<String>();
    for (var product : items(answer.body())) {
      if (!kind.needsStock() || product.path("quantity").asLong(0) > 0) {
        names.add(product.path("name").asString(""));
      }
    }
    if (names.isEmpty()) {
      throw new CommandRefusal(
          String.format(
              Locale.ROOT, "%s has no product%s", url, kind.needsStock() ? " in stock" : ""));
    }
    return names;
  }

  @Override
  public String toString() {
    return url.toString();
  }

  @Override
  public void close() {
    http.shutdownNow();
  }

  private static JsonNode items(String body) {
    try {
      return JSON.readTree(body).path("data").path("items");
    } catch (JacksonException noJson) {
      throw new CommandRefusal("the list of products is not valid JSON");
    }
  }

  HttpRequest.Builder request(String path) {
    return HttpRequest.newBuilder(url.resolve(path)).timeout(DEADLINE);
  }

  private static String encoded(String name) {
    return URLEncoder.encode(name, StandardCharsets.UTF_8).replace("+", "%20");
  }
}
