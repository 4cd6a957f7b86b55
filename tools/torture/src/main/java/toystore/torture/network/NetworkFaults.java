package toystore.torture.network;

import static org.assertj.core.api.Assertions.assertThat;
import static toystore.clients.Conditions.await;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Collectors;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import toystore.clients.Fault;
import toystore.clients.FaultProxy;
import toystore.clients.HttpTestClient;
import toystore.clients.HttpTestClient.Reply;
import toystore.clients.StoreProcesses;
import toystore.torture.TrialRound;
import toystore.torture.network.Attempt.Outcome;
import toystore.torture.network.HistoryClient.Keyed;

/// Clients retry, duplicate, reorder and abandon requests through proxies that cut, delay, slice
/// and hold bytes, or deliver them after the sender's connection was closed, while services are
/// killed and restarted. At the end the network is healed, all products are restocked, and every
/// key is retried once more. Checks: one sale per key, identical responses, a refusal stays a
/// refusal after a restock, 422 for a different body, no acknowledged order is lost, every order
/// was requested, and the history as a whole is linearizable.
///
/// @param cached whether the frontend answers queries from its product cache
public record NetworkFaults(boolean cached) {
  /// The administrator's token.
  static final String TOKEN = "the-administrator-of-a-lossy-network";

  private static final int STOCK = 12;

  /// The fault rate is higher for client connections, because each carries one request; a
  /// connection between services carries all their requests.
  private static final double CLIENT_FAULT_SHARE = 0.10;

  private static final double SERVICE_FAULT_SHARE = 0.015;

  /// After this time every command that was sent has been decided or refused: the frontend's
  /// deadline plus a margin for clocks and queues.
  private static final long DECISION_TIMEOUT_NANOS = TimeUnit.MILLISECONDS.toNanos(1_500);

  /// The reason why it cannot run on this machine.
  public static Optional<String> missing() {
    return PorcupineChecker.missing();
  }

  /// @return the number of requests that the store processed
  public long round(TrialRound round) throws IOException, InterruptedException {
    try (var run = new LossyRound(round, cached)) {
      long requests = run.run();
      PorcupineChecker.check(run.file(), round.out());
      return requests;
    }
  }

  /// An order as the store lists it.
  record Order(long number, List<RecordedRequest.Line> lines) {
    static Order of(JsonNode order) {
      List<RecordedRequest.Line> lines = new ArrayList<>();
      (order.has("lines") ? order.get("lines") : List.of(order))
          .forEach(it ->
              lines.add(
                  new RecordedRequest.Line(it.get("name").asString(), it.get("quantity").asInt())));
      return new Order(order.get("number").asLong(), lines);
    }
  }

  private static final class LossyRound implements AutoCloseable {
    private final TrialRound round;
    private final SplittableRandom random;
    private final StoreProcesses store;
    private final HttpTestClient http;
    private final List<FaultProxy> proxies = new ArrayList<>();
    private final int clients;
    private final int requests;
    private final List<String> victims;
    private final History history;

    LossyRound(TrialRound round, boolean cached) throws IOException {
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
              .map(it -> String.format(Locale.ROOT, "%s,9.99,%d%n", it, STOCK))
              .collect(Collectors.joining()));
      Path data = Files.createDirectories(round.folder().resolve("data"));
      Files.writeString(data.resolve("admin-token"), TOKEN);
      connect("frontend", "order", "order-target");
      connect("frontend", "catalog", "catalog-target");
      connect("order", "catalog", "catalog-target");
    }

    private void connect(String from, String to, String setting) throws IOException {
      int port = proxy(store.port(to), SERVICE_FAULT_SHARE);
      store.with(
          from,
          String.format(Locale.ROOT, "toystore.%s.%s", from, setting),
          StoreProcesses.target(port));
    }

    private int proxy(int to, double share) throws IOException {
      proxies.add(new FaultProxy(to, share, random.split()));
      return proxies.getLast().port();
    }

    /// @throws AssertionError with the violated guarantee
    long run() throws IOException, InterruptedException {
      store.startAll("catalog", "order", "frontend");
      int outside = proxy(http.port(), CLIENT_FAULT_SHARE);
      proxies.forEach(it -> it.injectFaults());
      shop(outside);
      proxies.forEach(it -> it.heal());
      await(() -> proxies.stream().allMatch(FaultProxy::isIdle));
      long over = System.nanoTime() + DECISION_TIMEOUT_NANOS;
      await(() -> System.nanoTime() > over && http.isReady());
      long repeated = repeatEverything();
      history.write(file());
      print(repeated);
      GuaranteeChecker.check(history, orders());
      assertThat(http.failedChecks()).isEmpty();
      assertThat(
              List.of(
                  history.count(Outcome.KEY_CONFLICT), history.count(Outcome.UNKNOWN), repeated))
          .as("counts of OTHER, UNKNOWN and repeated refusals in this round are positive")
          .allMatch(it -> it > 0);
      return history.size() - history.count(Outcome.NOT_DONE);
    }

    private void shop(int port) throws IOException, InterruptedException {
      var open = new AtomicBoolean(true);
      try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
        HistoryClient administrator = client(0, port);
        List<Future<?>> shopping = new ArrayList<>();
        for (int i = 1; i <= clients; i++) {
          HistoryClient client = client(i, port);
          shopping.add(threads.submit(() -> client.shop(requests)));
        }
        Future<?> restocking = threads.submit(() -> administrator.restock(open::get));
        try {
          kill(shopping);
          shopping.forEach(LossyRound::finish);
        } finally {
          open.set(false);
        }
        finish(restocking);
      }
    }

    private HistoryClient client(int number, int port) {
      return new HistoryClient(number, random.split(), port, history);
    }

    /// Kills and restarts one service after the other while clients buy.
    private void kill(List<Future<?>> shopping) throws IOException, InterruptedException {
      long all = (long) clients * requests;
      for (int i = 0; i < victims.size(); i++) {
        long moment = all * (i + 1) / (victims.size() + 1);
        await(() -> history.served.get() >= moment || shopping.stream().anyMatch(Future::isDone));
        store.kill(victims.get(i));
        store.start(victims.get(i));
      }
    }

    private static void finish(Future<?> shopping) {
      try {
        shopping.get();
      } catch (InterruptedException e) {
        throw new IllegalStateException("the trial's thread was interrupted", e);
      } catch (ExecutionException e) {
        throw new AssertionError(e.getMessage(), e);
      }
    }

    /// Restocks all products and retries all requests: refused requests must stay refused, sales
    /// must not be repeated, and a different body must get 422. Then queries all products.
    ///
    /// @return the number of retried refusals
    private long repeatEverything() {
      HistoryClient client = client(clients + 1, http.port());
      for (ProductGroup group : history.groups()) {
        for (String product : group.products()) {
          client.repeatUntilAnswered(client.keyed(new RecordedRequest.Restock(group, product, 9)));
        }
      }
      long refusals = 0;
      for (Operation operation : Operation.of(history.attempts())) {
        // retry most abandoned requests: each one left open may or may not have bought, which
        // doubles the number of states for the history checker
        Attempt first = operation.attempts().getFirst();
        if (operation.isOpen() && !first.key().isEmpty() && random.nextInt(5) > 0) {
          client.repeatUntilAnswered(new Keyed(first.key(), first.request()));
        }
        Attempt decided = operation.decided().filter(LossyRound::isKept).orElse(null);
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
      return !(decided.request() instanceof RecordedRequest.Query)
          && (decided.own() || decided.outcome() == Outcome.SOLD);
    }

    private void repeat(HistoryClient client, Operation operation, Attempt decided) {
      client.repeatUntilAnswered(new Keyed(decided.key(), decided.request()));
      if (decided.request() instanceof RecordedRequest.Buy buy && random.nextInt(8) == 0) {
        client.repeatUntilAnswered(new Keyed(decided.key(), twiceAsMuch(buy)));
      }
      for (Attempt attempt : operation.attempts()) {
        if (attempt.outcome() == Outcome.UNKNOWN && !attempt.request().equals(decided.request())) {
          client.repeatUntilAnswered(new Keyed(attempt.key(), attempt.request()));
        }
      }
    }

    private static RecordedRequest twiceAsMuch(RecordedRequest.Buy buy) {
      return new RecordedRequest.Buy(
          buy.group(),
          buy.lines().stream()
              .map(it -> new RecordedRequest.Line(it.product(), 2 * it.quantity()))
              .toList());
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
      round
          .out()
          .printf(
              Locale.ROOT,
              "%d requests: %s; %d refusals retried; %d processes killed; faults: %s%n",
              history.size(),
              outcomes,
              repeated,
              victims.size(),
              faults);
    }

    /// All orders of the store, sorted by number.
    private List<Order> orders() throws IOException {
      List<Order> orders = new ArrayList<>();
      String after = "";
      do {
        JsonNode page = data("/orders?limit=200" + after);
        page.path("items").forEach(it -> orders.add(Order.of(it)));
        after = page.has("next") ? "&after=" + page.get("next").asString() : "";
      } while (!after.isEmpty());
      return orders;
    }

    private JsonNode data(String path) throws IOException {
      Reply reply = http.get(path, "Authorization", "Bearer " + TOKEN);
      assertThat(reply.status()).as("%s: %s", path, reply.body()).isEqualTo(200);
      return JsonMapper.shared().readTree(reply.body()).get("data");
    }

    /// The history file for [PorcupineChecker].
    Path file() {
      return round.folder().resolve("history.jsonl");
    }

    @Override
    public void close() throws IOException {
      store.close();
      for (FaultProxy proxy : proxies) {
        proxy.close();
      }
    }
  }
}
