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
import io.gatling.javaapi.http.Http;
import io.gatling.javaapi.http.HttpProtocolBuilder;
import io.gatling.javaapi.http.HttpRequestActionBuilder;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.StringJoiner;
import java.util.TreeMap;
import java.util.function.LongConsumer;
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
  static final long MAX_MICROS = 60_000_000;

  private final FeederBuilder<Object> products =
      listFeeder(
              Stream.of("Tux", "Whale", "Elephant", "Bird")
                  .map(it -> Map.<String, Object>of("product", it))
                  .toList())
          .random();
  private final Map<Integer, Histogram> queries = new TreeMap<>(); // by number of clients
  private final Map<Integer, Histogram> buys = new TreeMap<>();

  static HttpProtocolBuilder protocol() {
    return http.baseUrl(SimulationSettings.url())
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
    return feed(products).exec(query(http(name("query", clients)), histogram(queries, clients)));
  }

  ChainBuilder buy(int clients) {
    return feed(products).exec(buy(http(name("buy", clients)), histogram(buys, clients)));
  }

  /// A query, then a buy, which are not in Gatling's report.
  ChainBuilder warmUp(WarmUp warmUp) {
    return feed(products)
        .exec(query(http("warm-up"), warmUp::recordQuery).silent())
        .exec(buy(http("warm-up"), warmUp::recordBuy).silent());
  }

  private static HttpRequestActionBuilder query(Http request, LongConsumer latencies) {
    return timed(request.get("/products/#{product}"), latencies)
        .check(
            status().is(200),
            jsonPath("$.data.name").isEL("#{product}"),
            jsonPath("$.data.price").exists(),
            jsonPath("$.data.quantity").exists());
  }

  private static HttpRequestActionBuilder buy(Http request, LongConsumer latencies) {
    return timed(request.post("/orders"), latencies)
        .body(StringBody("{\"name\":\"#{product}\",\"quantity\":1}"))
        .asJson()
        .check(status().is(200), jsonPath("$.data.order_number").exists());
  }

  private static String name(String kind, int clients) {
    return String.format(Locale.ROOT, "%s, %d clients", kind, clients);
  }

  private static LongConsumer histogram(Map<Integer, Histogram> histograms, int clients) {
    var histogram = new ConcurrentHistogram(MAX_MICROS, 3);
    histograms.put(clients, histogram);
    return histogram::recordValue;
  }

  private static HttpRequestActionBuilder timed(
      HttpRequestActionBuilder request, LongConsumer latencies) {
    return request
        .sign((encoded, session) -> {
          beginOf(session)[0] = System.nanoTime();
          return encoded;
        })
        .transformResponse((response, session) -> {
          long micros = (System.nanoTime() - beginOf(session)[0] + 500) / 1_000;
          latencies.accept(Math.min(micros, MAX_MICROS));
          return response;
        });
  }

  private static long[] beginOf(Session session) {
    return Objects.requireNonNull(session.<long[]>get(BEGIN), BEGIN);
  }

  /// A table of all latencies, and in its last line how many times as long as a query a buy took.
  String latencies() {
    var table = new StringBuilder();
    row(table, List.of("latency in µs", "query mean", "p50", "p99", "buy mean", "p50", "p99"));
    var ratios = new StringJoiner(", ", "buy ÷ query, means: ", System.lineSeparator());
    queries.forEach((clients, query) -> {
      Histogram buy = Objects.requireNonNull(buys.get(clients));
      row(
          table,
          Stream.concat(
                  Stream.of(count(clients)), Stream.of(query, buy).flatMap(StoreCalls::figures))
              .toList());
      ratios.add(
          String.format(
              Locale.ROOT, "%.2f with %s", buy.getMean() / query.getMean(), count(clients)));
    });
    return table.toString() + ratios;
  }

  private static String count(int clients) {
    return clients + (clients == 1 ? " client" : " clients");
  }

  private static Stream<String> figures(Histogram histogram) {
    return Stream.of(
            histogram.getMean(),
            (double) histogram.getValueAtPercentile(50),
            (double) histogram.getValueAtPercentile(99))
        .map(it -> String.format(Locale.ROOT, "%.0f", it));
  }

  private static void row(StringBuilder table, List<String> cells) {
    table.append(String.format(Locale.ROOT, "%-13s %11s %9s %9s %11s %9s %9s%n", cells.toArray()));
  }
}
