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
      paramLabel = "query|buy|lookup|trade|update",
      description = {
        "What to ask for: query and buy a product, lookup and trade a stock (one piece, bought and",
        "sold in turn), update a stock's price to a random one."
      })
  private ClosedLoopLoad.Kind kind;

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
      description = {
        "The store, such as http://127.0.0.1:8080, or its bazaar: grpc://127.0.0.1:9091, or",
        "line://127.0.0.1:PORT, where lookup is all."
      })
  private String url;

  @Option(
      names = "--product",
      paramLabel = "NAME",
      description = "This product (default: random ones of the first 200; to buy: in stock).")
  private @Nullable String product;

  @Option(
      names = "--pace",
      paramLabel = "N",
      description = "So many a second, all clients together (default: as many as they can).")
  private double pace;

  @Override
  public Integer call() throws IOException, InterruptedException {
    check("--requests", requests, MOST_REQUESTS);
    check("--clients", clients, MOST_CLIENTS);
    if (!(pace >= 0 && pace <= MOST_REQUESTS)) {
      throw CommandRefused.usage("--pace must be 0 to %d, got %s".formatted(MOST_REQUESTS, pace));
    }
    try (var target = LoadTarget.at(url)) {
      var products = products(target);
      var warmUp = Math.min(requests, LONGEST_WARM_UP);
      ClosedLoopLoad.run(target, kind.harmless(), products, warmUp, clients);
      System.out.printf(
          "%s: %,d requests, %d clients, %s, %s; warmed up by %,d of %s, not counted%n",
          kind,
          requests,
          clients,
          pace == 0 ? "closed loop" : "%s a second".formatted(pace),
          url,
          warmUp,
          kind.harmless());
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
      return target.products(kind.takesStock());
    } catch (IOException away) {
      throw new CommandRefused("no store answers at %s (%s)".formatted(url, away));
    }
  }

  private static void check(String option, long value, long most) {
    if (value < 1 || value > most) {
      throw CommandRefused.usage("%s must be 1 to %d, got %d".formatted(option, most, value));
    }
  }

  /// How it went, for people: microseconds, or milliseconds where they are many.
  static List<String> lines(ClosedLoopLoad.Result result) {
    var nanos = result.nanos();
    var lines = new java.util.ArrayList<String>();
    lines.add("mean        " + time(nanos.getMean()));
    lines.add("p50         " + time(nanos.getValueAtPercentile(50)));
    lines.add("p95         " + time(nanos.getValueAtPercentile(95)));
    lines.add("p99         " + time(nanos.getValueAtPercentile(99)));
    lines.add("max         " + time(nanos.getMaxValue()));
    lines.add(String.format(Locale.ROOT, "throughput  %,.0f answers/s", result.perSecond()));
    lines.add("right       %,d".formatted(result.right()));
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
