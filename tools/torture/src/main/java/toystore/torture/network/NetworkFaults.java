package toystore.torture.network;

import static org.assertj.core.api.Assertions.assertThat;
import static toystore.clients.Conditions.await;
import static toystore.common.RootLocale.format;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;
import toystore.clients.ClientThreads;
import toystore.clients.Fault;
import toystore.clients.FaultProxy;
import toystore.clients.StoreHttpClient;
import toystore.clients.StoreHttpClient.Reply;
import toystore.clients.StoreProcesses;
import toystore.torture.network.Attempt.Outcome;
import toystore.torture.network.HistoryClient.Keyed;
import toystore.torture.network.RecordedRequest.Line;
import toystore.torture.network.RecordedRequest.RequestKind;
import toystore.torture.trial.TrialRound;

/// Clients retry, duplicate, reorder and abandon requests through proxies that cut, delay, slice
/// and hold bytes, or deliver them after the sender's connection was closed, while services are
/// killed and restarted. At the end the network is healed, all products are restocked, and every
/// key is retried once more. Checks: one sale per key, identical responses, a refusal stays a
/// refusal after a restock, 422 for a different body, no acknowledged order is lost, every order
/// was requested, and the history as a whole is linearizable.
public final class NetworkFaults implements AutoCloseable {
  private static final int STOCK = 12;

  /// The fault rate is higher for client connections, because each carries one request; a
  /// connection between services carries all their requests.
  private static final double CLIENT_FAULT_SHARE = 0.10;

  private static final double SERVICE_FAULT_SHARE = 0.015;

  /// After this time every command that was sent has been decided or refused: the frontend's
  /// deadline plus a margin for clocks and queues.
  private static final long DECISION_TIMEOUT_NANOS = TimeUnit.MILLISECONDS.toNanos(1_500);

  private final TrialRound round;
  private final SplittableRandom random;
  private final StoreProcesses store;
  private final StoreHttpClient http;
  private final List<FaultProxy> proxies = new ArrayList<>();
  private final int clients;
  private final int requests;
  private final List<String> victims;
  private final History history;

  /// The reason why it cannot run on this machine.
  public static Optional<String> missing() {
    return PorcupineChecker.missing();
  }

  /// @param cached whether the frontend answers queries from its product cache
  /// @return the number of requests that the store processed
  public static long round(TrialRound round, boolean cached)
      throws IOException, InterruptedException {
    try (var run = new NetworkFaults(round, cached)) {
      return run.run();
    }
  }

  private NetworkFaults(TrialRound round, boolean cached) throws IOException {
    this.round = round;
    this.random = new SplittableRandom(round.seed());
    this.clients = round.quick() ? 8 : 10;
    this.requests = round.quick() ? 25 : 60;
    this.victims = round.quick() ? List.of("catalog") : List.of("catalog", "order", "frontend");
    this.history = new History(ProductGroup.some(round.quick() ? 3 : 8, STOCK));
    this.store = new StoreProcesses(round.folder());
    this.http = store.http("frontend");
    store.with("frontend", "toystore.frontend.reads", cached ? "cached" : "direct");
    store.sell(
        history.groups().stream()
            .flatMap(it -> it.products().stream())
            .map(it -> format("%s,9.99,%d%n", it, STOCK))
            .collect(Collectors.joining()));
    connect("frontend", "order");
    connect("frontend", "catalog");
    connect("order", "catalog");
  }

  private void connect(String from, String to) throws IOException {
    String target = StoreProcesses.target(proxy(store.port(to), SERVICE_FAULT_SHARE));
    store.with(from, "toystore." + from + "." + to + "-target", target);
  }

  private int proxy(int to, double share) throws IOException {
    proxies.add(new FaultProxy(to, share, random.split()));
    return proxies.getLast().port();
  }

  /// @throws AssertionError with the violated guarantee
  private long run() throws IOException, InterruptedException {
    store.startAll("catalog", "order", "frontend");
    int outside = proxy(http.port(), CLIENT_FAULT_SHARE);
    proxies.forEach(it -> it.injectFaults());
    shop(outside);
    proxies.forEach(it -> it.heal());
    await(() -> proxies.stream().allMatch(FaultProxy::isIdle));
    long over = System.nanoTime() + DECISION_TIMEOUT_NANOS;
    await(() -> System.nanoTime() > over && http.isReady());
    long repeated = repeatEverything();
    Path file = round.folder().resolve("history.jsonl");
    history.write(file);
    print(repeated);
    GuaranteeChecker.check(history, orders());
    assertThat(http.failedChecks()).isEmpty();
    assertThat(
            List.of(history.count(Outcome.KEY_CONFLICT), history.count(Outcome.UNKNOWN), repeated))
        .as("counts of KEY_CONFLICT, UNKNOWN and repeated refusals in this round are positive")
        .allMatch(it -> it > 0);
    PorcupineChecker.check(file, round.out());
    return history.attempts().size() - history.count(Outcome.NOT_DONE);
  }

  /// Kills and restarts one service after the other while clients buy.
  private void shop(int port) throws IOException, InterruptedException {
    try (var shopping = new ClientThreads();
        var restocking = new ClientThreads()) {
      List<HistoryClient> all = new ArrayList<>();
      for (int i = 0; i <= clients; i++) {
        all.add(client(i, port));
      }
      shopping.start(
          clients,
          number -> {
            for (int i = 0; i < requests; i++) {
              all.get(number + 1).shop();
              shopping.countAnswer();
            }
          });
      restocking.start(1, _ -> all.getFirst().restock(restocking::areRunning, shopping::answers));
      for (int i = 0; i < victims.size(); i++) {
        long moment = (long) clients * requests * (i + 1) / (victims.size() + 1);
        await(() -> shopping.answers() >= moment);
        store.kill(victims.get(i));
        store.start(victims.get(i));
      }
      shopping.stop();
      restocking.stop();
    }
  }

  private HistoryClient client(int number, int port) {
    return new HistoryClient(number, random.split(), port, history);
  }

  /// Restocks all products and retries all requests: refused requests must stay refused, sales must
  /// not be repeated, and a different body must get 422. Then queries all products.
  ///
  /// @return the number of retried refusals
  private long repeatEverything() {
    HistoryClient client = client(clients + 1, http.port());
    for (ProductGroup group : history.groups()) {
      group.products().forEach(it -> client.restock(group, it, 9));
    }
    long refusals = 0;
    for (Operation operation : Operation.of(history.attempts())) {
      // retry most abandoned requests: each one left open may or may not have bought, which
      // doubles the number of states for the history checker
      Attempt first = operation.attempts().getFirst();
      if (operation.isOpen() && !first.key().isEmpty() && random.nextInt(5) > 0) {
        client.repeatUntilAnswered(new Keyed(first.key(), first.request()));
      }
      Attempt decided = operation.decided().filter(NetworkFaults::isKept).orElse(null);
      if (decided != null) {
        repeat(client, operation, decided);
        refusals += decided.outcome() == Outcome.REFUSED ? 1 : 0;
      }
    }
    for (ProductGroup group : history.groups()) {
      group.products().forEach(it -> client.query(group, it));
    }
    return refusals;
  }

  private static boolean isKept(Attempt decided) {
    return decided.request().kind() != RequestKind.LOOK
        && (decided.own() || decided.outcome() == Outcome.SOLD);
  }

  private void repeat(HistoryClient client, Operation operation, Attempt decided) {
    RecordedRequest request = decided.request();
    client.repeatUntilAnswered(new Keyed(decided.key(), request));
    if (request.isBuy() && random.nextInt(8) == 0) {
      List<Line> twice =
          request.lines().stream().map(it -> new Line(it.toy(), 2 * it.quantity())).toList();
      client.repeatUntilAnswered(
          new Keyed(decided.key(), new RecordedRequest(RequestKind.BUY, request.group(), twice)));
    }
    for (Attempt attempt : operation.attempts()) {
      if (attempt.outcome() == Outcome.UNKNOWN && !attempt.request().equals(request)) {
        client.repeatUntilAnswered(new Keyed(attempt.key(), attempt.request()));
      }
    }
  }

  private void print(long repeated) {
    String faults =
        Arrays.stream(Fault.values())
            .filter(it -> it != Fault.NONE)
            .map(it -> proxies.stream().mapToLong(proxy -> proxy.count(it)).sum() + " " + it)
            .collect(Collectors.joining(", "));
    String outcomes =
        Arrays.stream(Outcome.values())
            .map(it -> history.count(it) + " " + it)
            .collect(Collectors.joining(", "));
    round.print(
        "%s; %d refusals retried; %d processes killed; faults: %s",
        outcomes, repeated, victims.size(), faults);
  }

  /// The lines of all orders, by number.
  private List<List<Line>> orders() throws IOException {
    List<List<Line>> orders = new ArrayList<>();
    String after = "";
    do {
      String path = "/orders?limit=200" + after;
      Reply reply = http.get(path, "Authorization", "Bearer " + StoreProcesses.TOKEN);
      assertThat(reply.status()).as("%s: %s", path, reply.body()).isEqualTo(200);
      JsonNode page = reply.json().required("data");
      for (JsonNode order : page.path("items")) {
        assertThat(order.required("number").asLong())
            .as("order numbers start at 0 and have no gap")
            .isEqualTo(orders.size());
        orders.add(lines(order));
      }
      after = page.has("next") ? "&after=" + page.get("next").asString() : "";
    } while (!after.isEmpty());
    return orders;
  }

  private static List<Line> lines(JsonNode order) {
    return (order.has("lines") ? order.get("lines").valueStream() : Stream.of(order))
        .map(it -> new Line(it.required("name").asString(), it.required("quantity").asInt()))
        .toList();
  }

  @Override
  public void close() throws IOException {
    store.close();
    for (FaultProxy proxy : proxies) {
      proxy.close();
    }
  }
}
