package toystore.gatling;

import static io.gatling.javaapi.core.CoreDsl.StringBody;
import static io.gatling.javaapi.core.CoreDsl.feed;
import static io.gatling.javaapi.core.CoreDsl.jsonPath;
import static io.gatling.javaapi.core.CoreDsl.listFeeder;
import static io.gatling.javaapi.http.HttpDsl.http;
import static io.gatling.javaapi.http.HttpDsl.status;

import io.gatling.javaapi.core.ChainBuilder;
import io.gatling.javaapi.core.FeederBuilder;
import io.gatling.javaapi.core.Session;
import io.gatling.javaapi.http.HttpProtocolBuilder;
import io.gatling.javaapi.http.HttpRequestActionBuilder;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.HdrHistogram.ConcurrentHistogram;
import org.HdrHistogram.Histogram;

/// The calls of a client: a query and a buy, each of a product chosen at random, with a check of
/// the response; and their latencies. Each kind and number of clients is a request of its own in
/// Gatling's report.
///
/// Gatling measures whole milliseconds (its issue 3704), and a query takes a fraction of one. So
/// each call is also measured in nanoseconds: from the hook for signing, which Gatling calls when
/// the request is about to be written, to the hook that transforms a response, which it calls when
/// the last byte is decoded and before any check. Both run on the event loop of the connection.
final class StoreCalls {
  private static final String BEGIN = "begin";
  private static final long MAX_MICROS = 60_000_000;

  private final FeederBuilder<Object> products =
      listFeeder(
              Stream.of("Tux", "Whale", "Elephant", "Bird")
                  .map(it -> Map.<String, Object>of("product", it))
                  .toList())
          .random();
  private final Map<Integer, Histogram> queries = new TreeMap<>(); // by number of clients
  private final Map<Integer, Histogram> buys = new TreeMap<>();

  static HttpProtocolBuilder protocol() {
    return http.baseUrl(System.getProperty("url", "http://127.0.0.1:8080"))
        .acceptHeader("application/json")
        .userAgentHeader("toystore-gatling")
        .disableCaching()
        .disableWarmUp();
  }

  /// The first step of each client.
  static Session begin(Session session) {
    return session.set(BEGIN, new long[1]);
  }

  ChainBuilder query(int clients) {
    return feed(products)
        .exec(
            timed(http(name("query", clients)).get("/products/#{product}"), queries, clients)
                .check(
                    status().is(200),
                    jsonPath("$.data.name").isEL("#{product}"),
                    jsonPath("$.data.price").exists(),
                    jsonPath("$.data.quantity").exists()));
  }

  ChainBuilder buy(int clients) {
    return feed(products)
        .exec(
            timed(http(name("buy", clients)).post("/orders"), buys, clients)
                .body(StringBody("{\"name\":\"#{product}\",\"quantity\":1}"))
                .asJson()
                .check(status().is(200), jsonPath("$.data.order_number").exists()));
  }

  private static String name(String kind, int clients) {
    return String.format(Locale.ROOT, "%s, %d clients", kind, clients);
  }

  private static HttpRequestActionBuilder timed(
      HttpRequestActionBuilder request, Map<Integer, Histogram> histograms, int clients) {
    var histogram = new ConcurrentHistogram(MAX_MICROS, 3);
    histograms.put(clients, histogram);
    return request
        .sign((encoded, session) -> {
          beginOf(session)[0] = System.nanoTime();
          return encoded;
        })
        .transformResponse((response, session) -> {
          long micros = (System.nanoTime() - beginOf(session)[0] + 500) / 1_000;
          histogram.recordValue(Math.min(micros, MAX_MICROS));
          return response;
        });
  }

  private static long[] beginOf(Session session) {
    return Objects.requireNonNull(session.<long[]>get(BEGIN), BEGIN);
  }

  /// A table of all latencies.
  String latencies() {
    var table = new StringBuilder();
    row(table, List.of("latency in µs", "query", "99 %", "buy", "99 %", "buy ÷ query"));
    queries.forEach((clients, query) -> {
      Histogram buy = Objects.requireNonNull(buys.get(clients));
      row(
          table,
          List.of(
              clients + (clients == 1 ? " client" : " clients"),
              number("%.0f", query.getMean()),
              number("%.0f", query.getValueAtPercentile(99)),
              number("%.0f", buy.getMean()),
              number("%.0f", buy.getValueAtPercentile(99)),
              number("%.2f", buy.getMean() / query.getMean())));
    });
    return table.toString();
  }

  private static String number(String format, double value) {
    return String.format(Locale.ROOT, format, value);
  }

  private static void row(StringBuilder table, List<String> cells) {
    table.append(String.format(Locale.ROOT, "%-13s %9s %9s %9s %9s %12s%n", cells.toArray()));
  }
}
