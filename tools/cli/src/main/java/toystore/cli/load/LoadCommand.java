package toystore.cli.load;

import static toystore.common.RootLocale.format;

import java.io.IOException;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.LongSummaryStatistics;
import java.util.concurrent.Callable;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;
import toystore.cli.command.CommandRefusal;
import toystore.cli.command.ShutdownHook;
import toystore.cli.launch.RunningStore;
import toystore.cli.load.LoadKind.Area;
import toystore.clients.load.CallRecorder;
import toystore.clients.load.ClosedLoop;

/// `./toystore load`: the load client for one terminal.
@Command(
    name = "load",
    description = "Send requests, check each response, print latency and throughput.",
    footer =
        "%nEach client waits for its response before it sends again. Ctrl-C prints what was measured so"
            + " far. The exit code is 1 if a response was wrong, none was correct, or a threshold was"
            + " exceeded; a line on standard error says which.")
@SuppressWarnings("NullAway.Init") // picocli sets the spec
public final class LoadCommand implements Callable<Integer> {
  private static final long MAX_REQUESTS = 100_000_000;
  private static final int MAX_CLIENTS = 1_000;
  private static final int MAX_WARM_UP = 2_000;

  @Option(
      names = "--kind",
      paramLabel = "KIND",
      converter = LoadKind.Converter.class,
      description =
          "What to send: query or buy a product; lookup or trade a stock (one unit, alternately bought"
              + " and sold); update a stock's price to a random value; in the marketplace, each client a"
              + " new user: read a seller's rating, search, list the own items, register-item, or"
              + " purchase one unit; at the exchange, each client a new account: exchange-xml,"
              + " exchange-rest or exchange-grpc, also without exchange-, an order for one share,"
              + " alternately bought and sold. Values: ${COMPLETION-CANDIDATES} (default: query, for"
              + " exchange load: exchange-rest).")
  private @Nullable LoadKind givenKind;

  @Option(
      names = "--requests",
      paramLabel = "N",
      description = "Number of requests (default: 20000).")
  private long requests = 20_000;

  @Option(
      names = "--clients",
      paramLabel = "C",
      description = "Number of concurrent clients (default: 8).")
  private int clients = 8;

  @Option(
      names = "--url",
      paramLabel = "U",
      description =
          "The store, such as http://127.0.0.1:8080, or its StockBazaar: grpc://127.0.0.1:9091, or"
              + " line://127.0.0.1:PORT, which supports lookup only; for exchange-xml"
              + " xml://127.0.0.1:12345, for exchange-grpc grpc://127.0.0.1:9094 (default: the store"
              + " of --port or --data).")
  private @Nullable String url;

  @Mixin private final RunningStore store = new RunningStore();

  @Option(
      names = "--product",
      paramLabel = "NAME",
      description =
          "The product to use (default: random among the first 200; for buy and trade, those in stock).")
  private @Nullable String product;

  @Option(
      names = "--pace",
      paramLabel = "N",
      description =
          "Requests per second of all clients together (default: no limit). Latency is then measured"
              + " from the time at which a request was due, not from when a client was free to send"
              + " it.")
  private double pace;

  @Mixin private final LoadThresholds thresholds = new LoadThresholds();

  @Spec private CommandSpec spec;
  private LoadKind kind = LoadKind.QUERY;

  @Override
  public Integer call() throws IOException, InterruptedException {
    CommandRefusal.requireRange("--requests", requests, 1, MAX_REQUESTS);
    CommandRefusal.requireRange("--clients", clients, 1, MAX_CLIENTS);
    if (!(pace >= 0 && pace <= MAX_REQUESTS)) {
      throw CommandRefusal.usage("--pace must be from 0 to %d; got %s", MAX_REQUESTS, pace);
    }
    kind = kind();
    String at = url();
    if (product != null && !kind.isOfProducts()) {
      throw CommandRefusal.usage("--product cannot be combined with --kind %s", kind);
    }
    try {
      var load = StoreLoad.prepare(kind, at, store.url(), product, clients);
      long warmUp = Math.min(requests, MAX_WARM_UP);
      load.warmUp(warmUp);
      System.out.printf(
          Locale.ROOT,
          "%s: %,d requests, %d clients, %s; warm-up of %,d %s requests not counted%n%s%n",
          kind,
          requests,
          clients,
          at,
          warmUp,
          kind.warmUp(),
          method(pace));
      StoreLoad.Result result = measure(load);
      List<String> exceeded = thresholds.exceededBy(result);
      exceeded.forEach(spec.commandLine().getErr()::println);
      return exceeded.isEmpty() ? 0 : 1;
    } catch (IOException away) {
      throw new CommandRefusal(
          "cannot reach a store at %s (%s); %s",
          at,
          away,
          at.startsWith("line:")
              ? "for this port, start the catalog with --toystore.catalog.line-port"
              : "start one with ./toystore up, or set --url");
    }
  }

  private LoadKind kind() {
    CommandSpec parent = spec.parent();
    boolean ofExchange = parent != null && parent.name().equals("exchange");
    if (givenKind == null) {
      return ofExchange ? LoadKind.EXCHANGE_REST : LoadKind.QUERY;
    }
    if (ofExchange && givenKind.area() != Area.EXCHANGE) {
      throw CommandRefusal.usage("--kind must be xml, rest or grpc; got %s", givenKind);
    }
    return givenKind;
  }

  private String url() throws IOException {
    if (url != null) {
      return url;
    }
    return switch (kind) {
      case UPDATE -> store.catalogUrl();
      case EXCHANGE_XML -> store.exchangeUrl("xml");
      case EXCHANGE_GRPC -> store.exchangeUrl("grpc");
      default -> store.url();
    };
  }

  /// How latency is measured: the two methods differ when responses are late.
  private static String method(double pace) {
    return pace == 0
        ? "closed loop: latency from the sending of a request; a client that waits sends nothing"
        : format(
            "%s requests/s: latency from the time at which a request was due",
            BigDecimal.valueOf(pace).stripTrailingZeros().toPlainString());
  }

  /// Runs the load and prints the result, also after Ctrl-C.
  private StoreLoad.Result measure(StoreLoad load) throws InterruptedException {
    try (ClosedLoop loop = load.loop();
        var _ = ShutdownHook.to(loop::stop)) {
      var progress = Thread.ofVirtual().start(() -> printProgress(loop));
      try {
        StoreLoad.Result result = load.run(loop, requests, pace);
        progress.interrupt();
        progress.join();
        if (loop.isStopped()) {
          System.out.printf(
              Locale.ROOT, "stopped after %,d of %,d requests%n", sent(loop), requests);
        }
        lines(result).forEach(System.out::println);
        return result;
      } finally {
        progress.interrupt();
      }
    }
  }

  /// Prints the number of requests to stderr: each second on one line of a terminal, otherwise
  /// every ten seconds.
  private void printProgress(ClosedLoop loop) {
    boolean terminal = System.console() != null && System.console().isTerminal();
    try {
      while (true) {
        Thread.sleep(Duration.ofSeconds(terminal ? 1 : 10));
        String line = format("%,d of %,d requests", sent(loop), requests);
        System.err.print(terminal ? "\r" + line : line + System.lineSeparator());
      }
    } catch (InterruptedException ended) {
      System.err.print(terminal ? "\r\033[K" : "");
    }
  }

  /// The clients that end have begun one more call each.
  private long sent(ClosedLoop loop) {
    return Math.min(loop.begunCalls(), requests);
  }

  /// The result as lines of text. All times are in milliseconds.
  static List<String> lines(StoreLoad.Result result) {
    CallRecorder calls = result.calls();
    Histogram micros = calls.allLatencies();
    var lines = new ArrayList<String>();
    lines.add(time("mean", micros.getMean()));
    lines.add(time("p50", micros.getValueAtPercentile(50)));
    lines.add(time("p95", micros.getValueAtPercentile(95)));
    lines.add(time("p99", micros.getValueAtPercentile(99)));
    lines.add(time("max", micros.getMaxValue()));
    long responses = calls.correct() + calls.refusals();
    lines.add(format("throughput %,12.0f responses/s", responses / result.seconds()));
    LongSummaryStatistics perClient = result.perClient();
    lines.add(format("per client %,12d to %,d responses", perClient.getMin(), perClient.getMax()));
    lines.add(format("correct    %,12d", calls.correct()));
    calls.refused().forEach((why, count) -> lines.add(format("%-10s %,12d", why, count)));
    calls
        .wrong()
        .forEach((kind, failures) ->
            lines.add(
                format(
                    "WRONG      %,12d × %s, for example: %s",
                    failures.count(), kind, failures.example())));
    return lines;
  }

  private static String time(String name, double micros) {
    return format("%-10s %,12.3f ms", name, micros / 1e3);
  }
}
