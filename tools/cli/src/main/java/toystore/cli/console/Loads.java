package toystore.cli.console;

import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import toystore.cli.command.CommandRefusal;
import toystore.cli.load.LoadKind;
import toystore.cli.load.StoreLoad;
import toystore.clients.load.CallRecorder;
import toystore.clients.load.CallSource;
import toystore.clients.load.ClosedLoop;
import toystore.clients.load.LiveLoad;
import toystore.clients.load.LoadConnection;
import toystore.clients.load.Scenario;

/// The load that the console sends, and its sweep; one of them at a time. A toy that they have sold
/// out is restocked. Any thread.
final class Loads implements AutoCloseable {
  /// A request to start a load.
  ///
  /// @param probability of a mix: that a request is a buy
  record LoadOrder(String kind, int clients, double probability) {
    private static final Map<String, List<LoadKind>> KINDS =
        Map.of(
            "query", List.of(LoadKind.QUERY),
            "buy", List.of(LoadKind.BUY),
            "mix", List.of(LoadKind.QUERY, LoadKind.BUY),
            "search", List.of(LoadKind.SEARCH),
            "purchase", List.of(LoadKind.PURCHASE),
            "exchange", List.of(LoadKind.EXCHANGE_REST));

    LoadOrder {
      ConsoleRefusal.requireOneOf("kind", kind, KINDS.keySet());
      if (clients < 1 || clients > 64) {
        throw new ConsoleRefusal(400, "clients must be from 1 to 64; got %d", clients);
      }
      if (!(probability >= 0 && probability <= 1)) {
        throw new ConsoleRefusal(400, "probability must be from 0 to 1; got %s", probability);
      }
    }

    List<LoadKind> kinds() {
      return Objects.requireNonNull(KINDS.get(kind));
    }
  }

  /// The last load.
  ///
  /// @param run its number; 0: there was none
  record LoadView(
      int run,
      boolean running,
      int clients,
      List<LoadKind> kinds,
      List<LiveLoad.Second> seconds,
      List<LiveLoad.Totals> totals) {}

  /// Mean latencies with a number of clients, in milliseconds.
  record SweepPoint(int clients, double query, double buy) {}

  /// The last sweep.
  ///
  /// @param state what it does now, or why it failed
  record SweepView(boolean running, String state, List<SweepPoint> points) {}

  /// A load, which runs or has ended.
  ///
  /// @param run its number, from 1
  record LoadRun(int run, LoadOrder order, LiveLoad load, AcknowledgedOrders orders) {
    boolean isRunning() {
      return !load.isEnded();
    }
  }

  private static final int SWEEP_CLIENTS = 5;
  private static final int QUERIES = 1_000; // of each client, as published
  private static final int BUYS = 100;
  private static final int RESTOCKED = 1_000;

  private final String url;
  private final AdministratorCalls administrator;
  private final Set<String> restocking = ConcurrentHashMap.newKeySet();
  private @Nullable Thread sweeping;
  private volatile @Nullable LoadRun last;
  private volatile SweepView sweep = new SweepView(false, "", List.of());

  Loads(String url, AdministratorCalls administrator) {
    this.url = url;
    this.administrator = administrator;
  }

  /// Starts a load instead of the one that runs.
  synchronized LoadRun start(LoadOrder order) throws IOException, InterruptedException {
    requireNoSweep();
    stop();
    var calls = new ArrayList<CallSource>();
    for (LoadKind kind : order.kinds()) {
      calls.add(StoreLoad.prepare(kind, url, url, null, order.clients()).calls());
    }
    var orders = new AcknowledgedOrders();
    var load =
        new LiveLoad(
            calls,
            order.probability(),
            order.clients(),
            Duration.ZERO,
            new ClosedLoop.ResponseListener() {
              @Override
              public void onCorrect(CallSource.Call call, LoadConnection.Response response) {
                remember(orders, call, response);
              }

              @Override
              public void onRefused(CallSource.Call call) {
                restockSoldOut(call);
              }
            });
    var run = new LoadRun(last == null ? 1 : last.run + 1, order, load, orders);
    last = run;
    return run;
  }

  private static void remember(
      AcknowledgedOrders orders, CallSource.Call call, LoadConnection.Response response) {
    if (call.path().equals("/orders")) {
      JsonNode number = ConsoleServer.JSON.readTree(response.body()).at("/data/order_number");
      orders.add(number.asString(""), product(call));
    }
  }

  synchronized void stop() {
    if (last != null) {
      last.load.close();
    }
  }

  /// The load that runs; null: none.
  @Nullable LoadRun current() {
    LoadRun now = last;
    return now != null && now.isRunning() ? now : null;
  }

  /// @param after the seconds of the load after this one are shown
  LoadView view(long after) {
    LoadRun now = last;
    return now == null
        ? new LoadView(0, false, 0, List.of(), List.of(), List.of())
        : new LoadView(
            now.run,
            now.isRunning(),
            now.order.clients,
            now.order.kinds(),
            now.load.secondsAfter(after),
            now.load.totals());
  }

  SweepView sweep() {
    return sweep;
  }

  /// Starts a sweep: 1 to 5 clients, each with the published numbers of queries, then of buys.
  synchronized void startSweep() {
    requireNoSweep();
    if (current() != null) {
      throw new ConsoleRefusal(409, "a load is running; stop it first");
    }
    sweeping = Thread.ofVirtual().name("console sweep").start(this::runSweep);
  }

  private void requireNoSweep() {
    if (sweeping != null && sweeping.isAlive()) {
      throw new ConsoleRefusal(409, "a sweep is running; wait until it has ended");
    }
  }

  private void runSweep() {
    var points = new ArrayList<SweepPoint>();
    try {
      for (var clients = 1; clients <= SWEEP_CLIENTS; clients++) {
        sweep = new SweepView(true, "clients: " + clients, List.copyOf(points));
        double query = meanMillis(LoadKind.QUERY, null, QUERIES, clients);
        JsonNode list =
            new CallSource(URI.create(url), Scenario.ofStore(), "list-products").answer();
        String product = list.at("/data/items/0/name").asString("");
        administrator.restock(url, product, BUYS * clients);
        double buy = meanMillis(LoadKind.BUY, product, BUYS, clients);
        points.add(new SweepPoint(clients, query, buy));
      }
      sweep = new SweepView(false, "done", List.copyOf(points));
    } catch (IOException | CommandRefusal failed) {
      sweep = new SweepView(false, "failed: " + failed.getMessage(), List.copyOf(points));
    } catch (InterruptedException closing) {
      Thread.currentThread().interrupt();
    }
  }

  private double meanMillis(
      LoadKind kind, @Nullable String product, int callsPerClient, int clients)
      throws IOException, InterruptedException {
    var load = StoreLoad.prepare(kind, url, url, product, clients);
    var recorder = new CallRecorder();
    try (ClosedLoop loop = load.loop()) {
      loop.callCount(load.calls(), callsPerClient, recorder);
    }
    if (recorder.failures() > 0) {
      throw new IOException(recorder.firstError());
    }
    return recorder.latencies().getMean() / 1e3;
  }

  /// Toys are refused only if they are sold out.
  private void restockSoldOut(CallSource.Call refused) {
    String product = product(refused);
    if (restocking.add(product)) {
      try {
        administrator.restock(url, product, RESTOCKED);
      } catch (IOException unavailable) {
        // the next client that finds it sold out tries again
      } finally {
        restocking.remove(product);
      }
    }
  }

  private static String product(CallSource.Call call) {
    return call.chosen().getOrDefault("product", "");
  }

  @Override
  public synchronized void close() {
    stop();
    if (sweeping != null) {
      sweeping.interrupt();
    }
  }
}
