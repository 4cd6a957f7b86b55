package toystore.cli;

import java.io.IOException;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/// `./toystore load`: the load client for one terminal.
@Command(
    name = "load",
    description = "Query or buy in a closed loop, check each answer, print the latency.")
@SuppressWarnings("NullAway.Init") // picocli sets what is required
final class LoadCommand implements Callable<Integer> {
  private static final long MOST_REQUESTS = 100_000_000;
  private static final int MOST_CLIENTS = 1_000;
  private static final int LONGEST_WARM_UP = 2_000;

  @Option(
      names = "--kind",
      required = true,
      paramLabel = "query|buy",
      description = "What to ask for; a buy buys one piece.")
  private Load.Kind kind;

  @Option(names = "--requests", required = true, paramLabel = "N", description = "How many.")
  private long requests;

  @Option(
      names = "--clients",
      required = true,
      paramLabel = "C",
      description = "How many at once; each waits for its answer.")
  private int clients;

  @Option(
      names = "--url",
      required = true,
      paramLabel = "U",
      description = "The store, such as http://127.0.0.1:8080.")
  private String url;

  @Option(
      names = "--product",
      paramLabel = "NAME",
      description = "This product (default: random ones of the first 200; to buy: in stock).")
  private @Nullable String product;

  @Override
  public Integer call() throws IOException, InterruptedException {
    check("--requests", requests, MOST_REQUESTS);
    check("--clients", clients, MOST_CLIENTS);
    try (var shop = Shop.at(url)) {
      var products = products(shop);
      var warmUp = Math.min(requests, LONGEST_WARM_UP);
      Load.run(shop, Load.Kind.QUERY, products, warmUp, clients);
      System.out.printf(
          "%s: %,d requests, %d clients, closed loop, %s; warmed up by %,d queries, not counted%n",
          kind, requests, clients, url, warmUp);
      var result = Load.run(shop, kind, products, requests, clients);
      lines(result).forEach(System.out::println);
      return result.wrong().isEmpty() ? 0 : 1;
    }
  }

  private List<String> products(Shop shop) throws IOException, InterruptedException {
    if (product != null) {
      return List.of(product);
    }
    try {
      return shop.products(kind == Load.Kind.BUY);
    } catch (IOException away) {
      throw new Refused("no store answers at %s (%s)".formatted(url, away));
    }
  }

  private static void check(String option, long value, long most) {
    if (value < 1 || value > most) {
      throw Refused.usage("%s must be 1 to %d, got %d".formatted(option, most, value));
    }
  }

  /// How it went, for people: microseconds, or milliseconds where they are many.
  static List<String> lines(Load.Result result) {
    var nanos = result.nanos();
    var lines = new java.util.ArrayList<String>();
    lines.add("mean        " + time(nanos.getMean()));
    lines.add("p50         " + time(nanos.getValueAtPercentile(50)));
    lines.add("p95         " + time(nanos.getValueAtPercentile(95)));
    lines.add("p99         " + time(nanos.getValueAtPercentile(99)));
    lines.add("max         " + time(nanos.getMaxValue()));
    lines.add(String.format(Locale.ROOT, "throughput  %,.0f answers/s", result.perSecond()));
    lines.add("right       %,d".formatted(result.right()));
    if (result.soldOut() > 0) {
      lines.add("sold out    %,d (409)".formatted(result.soldOut()));
    }
    result
        .wrong()
        .forEach((kind, failures) ->
            lines.add(
                "WRONG       %,d × %s, for example: %s"
                    .formatted(failures.count(), kind, failures.example())));
    return lines;
  }

  private static String time(double nanos) {
    return nanos < 10_000_000
        ? String.format(Locale.ROOT, "%,.0f µs", nanos / 1e3)
        : String.format(Locale.ROOT, "%,.1f ms", nanos / 1e6);
  }
}
