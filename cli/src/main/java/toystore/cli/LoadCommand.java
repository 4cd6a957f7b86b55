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
    description =
        "Send requests in a closed loop, check each response, print latency and throughput.")
@SuppressWarnings("NullAway.Init") // picocli sets what is required
final class LoadCommand implements Callable<Integer> {
  private static final long MAX_REQUESTS = 100_000_000;
  private static final int MAX_CLIENTS = 1_000;
  private static final int MAX_WARM_UP = 2_000;

  @Option(
      names = "--kind",
      required = true,
      paramLabel = "query|buy|lookup|trade|update",
      description = {
        "What to send: query or buy a product; lookup or trade a stock (one unit, alternately bought",
        "and sold); update a stock's price to a random value."
      })
  private ClosedLoopLoad.Kind kind;

  @Option(
      names = "--requests",
      required = true,
      paramLabel = "N",
      description = "Number of requests.")
  private long requests;

  @Option(
      names = "--clients",
      required = true,
      paramLabel = "C",
      description =
          "Number of concurrent clients; each waits for its response before it sends again.")
  private int clients;

  @Option(
      names = "--url",
      required = true,
      paramLabel = "U",
      description = {
        "The store, such as http://127.0.0.1:8080, or its StockBazaar: grpc://127.0.0.1:9091, or",
        "line://127.0.0.1:PORT, which supports lookup only."
      })
  private String url;

  @Option(
      names = "--product",
      paramLabel = "NAME",
      description =
          "The product to use (default: random among the first 200; for buy and trade, those in stock).")
  private @Nullable String product;

  @Option(
      names = "--pace",
      paramLabel = "N",
      description = "Requests per second of all clients together (default: no limit).")
  private double pace;

  @Override
  public Integer call() throws IOException, InterruptedException {
    check("--requests", requests, MAX_REQUESTS);
    check("--clients", clients, MAX_CLIENTS);
    if (!(pace >= 0 && pace <= MAX_REQUESTS)) {
      throw CommandRefused.usage(
          "--pace must be from 0 to %d; got %s".formatted(MAX_REQUESTS, pace));
    }
    try (var target = LoadTarget.at(url)) {
      var products = products(target);
      var warmUp = Math.min(requests, MAX_WARM_UP);
      ClosedLoopLoad.run(target, kind.warmUpKind(), products, warmUp, clients);
      System.out.printf(
          "%s: %,d requests, %d clients, %s, %s; warm-up of %,d %s requests not counted%n",
          kind,
          requests,
          clients,
          pace == 0 ? "closed loop" : "%s requests/s".formatted(pace),
          url,
          warmUp,
          kind.warmUpKind());
      var result = ClosedLoopLoad.run(target, kind, products, requests, clients, pace);
      lines(result).forEach(System.out::println);
      return result.wrong().isEmpty() ? 0 : 1;
    }
  }

  private List<String> products(LoadTarget target) throws IOException, InterruptedException {
    if (product != null) {
      return List.of(product);
    }
    try {
      return target.products(kind.needsStock());
    } catch (IOException away) {
      throw new CommandRefused(
          "cannot reach a store at %s (%s); start one with ./toystore up, or set --url"
              .formatted(url, away));
    }
  }

  private static void check(String option, long value, long most) {
    if (value < 1 || value > most) {
      throw CommandRefused.usage("%s must be from 1 to %d; got %d".formatted(option, most, value));
    }
  }

  /// The result as lines of text. Times are in microseconds, or in milliseconds from 10 ms on.
  static List<String> lines(ClosedLoopLoad.Result result) {
    var nanos = result.nanos();
    var lines = new java.util.ArrayList<String>();
    lines.add("mean        " + time(nanos.getMean()));
    lines.add("p50         " + time(nanos.getValueAtPercentile(50)));
    lines.add("p95         " + time(nanos.getValueAtPercentile(95)));
    lines.add("p99         " + time(nanos.getValueAtPercentile(99)));
    lines.add("max         " + time(nanos.getMaxValue()));
    lines.add(String.format(Locale.ROOT, "throughput  %,.0f responses/s", result.perSecond()));
    lines.add("correct     %,d".formatted(result.correct()));
    result.refused().forEach((why, count) -> lines.add("%-11s %,d".formatted(why, count)));
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
