package toystore.cli.load;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.util.List;
import java.util.LongSummaryStatistics;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import toystore.cli.command.CommandRefusal;
import toystore.cli.command.UrlOption;
import toystore.clients.load.CallRecorder;
import toystore.clients.load.CallSource;
import toystore.clients.load.ClosedLoop;
import toystore.clients.load.Scenario;
import toystore.clients.load.ScenarioSetUp;
import toystore.clients.load.UnexpectedResponseException;

/// A load of one kind that is prepared: the products are listed, the users have logged in and have
/// accounts. Any thread.
///
/// @param calls the requests
/// @param warmUp those of the warm-up
public record StoreLoad(CallSource calls, CallSource warmUp, int clients) {
  private static final int CONNECT_MILLIS = 10_000;

  /// Buys and sales alternate, so that neither cash nor units are used up.
  private static final Set<String> IN_TURNS =
      Set.of("side", "order_side", "grpc_side", "xml_amount");

  /// @param perClient the number of responses of each client: a starved one has few
  /// @param seconds the duration of the load until it ended or was stopped
  record Result(CallRecorder calls, LongSummaryStatistics perClient, double seconds) {}

  /// Prepares a load.
  ///
  /// @param at where the requests are sent
  /// @param shop where its users log in
  /// @param product null: those that the store lists
  /// @throws CommandRefusal if the URL does not support the kind, or the store refuses
  /// @throws IOException if no store can be reached
  public static StoreLoad prepare(
      LoadKind kind, String at, String shop, @Nullable String product, int clients)
      throws IOException, InterruptedException {
    URI target = UrlOption.parse(kind.scheme(at), at);
    kind.requireSupport(target);
    try (var probe = new Socket()) {
      probe.connect(new InetSocketAddress(target.getHost(), port(target)), CONNECT_MILLIS);
    }
    URI first = kind == LoadKind.EXCHANGE_GRPC ? UrlOption.parse("http", shop) : target;
    var scenario = Scenario.ofStore().withTurns(IN_TURNS);
    if (!isHttp(target)) {
      var port = List.of(Integer.toString(target.getPort()));
      var host = List.of(target.getHost());
      scenario =
          scenario.with(
              Map.of("host", host, "line_port", port, "xml_port", port, "exchange_port", port));
    }
    try {
      if (product != null) {
        scenario = scenario.with(kind.listed(), List.of(product));
      } else if (kind.isOfProducts() && !target.getScheme().equals("line")) {
        scenario = scenario.with(kind.listed(), products(kind, target, scenario));
      }
      var kinds = List.of(kind.inScenario(), kind.warmUp().inScenario());
      scenario = ScenarioSetUp.call(first, scenario, kinds, clients);
      return new StoreLoad(
          new CallSource(first, scenario, kinds.getFirst()),
          new CallSource(first, scenario, kinds.getLast()),
          clients);
    } catch (UnexpectedResponseException refused) {
      throw new CommandRefusal("cannot prepare the load: %s", String.valueOf(refused.getMessage()));
    }
  }

  /// The names on the first page: all of them, or those with units in stock.
  private static List<String> products(LoadKind kind, URI target, Scenario scenario)
      throws IOException {
    JsonNode answer = new CallSource(target, scenario, "list-" + kind.listed() + "s").answer();
    JsonNode items = isHttp(target) ? answer.at("/data/items") : answer.path("products");
    List<String> names =
        items
            .valueStream()
            .filter(it -> !kind.needsStock() || it.path("quantity").asLong(0) > 0)
            .map((JsonNode it) -> it.path("name").asString(""))
            .toList();
    if (names.isEmpty()) {
      throw new CommandRefusal(
          "%s has no %s%s", target, kind.listed(), kind.needsStock() ? " in stock" : "");
    }
    return names;
  }

  private static boolean isHttp(URI url) {
    return url.getScheme().startsWith("http");
  }

  private static int port(URI url) {
    if (url.getPort() >= 0) {
      return url.getPort();
    }
    return url.getScheme().equals("https") ? 443 : 80;
  }

  /// Connects clients; each load needs others.
  public ClosedLoop loop() {
    return new ClosedLoop(clients, ThreadLocalRandom.current().nextLong());
  }

  /// Sends the requests of the warm-up, which are not recorded.
  void warmUp(long requests) throws InterruptedException {
    try (ClosedLoop loop = loop()) {
      loop.callTotal(warmUp, requests, 0, new CallRecorder());
    }
  }

  /// @param pace requests per second of all clients together; 0: no limit
  Result run(ClosedLoop loop, long requests, double pace) throws InterruptedException {
    var recorder = new CallRecorder();
    double seconds = loop.callTotal(calls, requests, pace, recorder);
    return new Result(recorder, loop.responsesPerClient(), seconds);
  }
}
