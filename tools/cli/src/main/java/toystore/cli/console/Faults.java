package toystore.cli.console;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import toystore.cli.console.Loads.LoadOrder;
import toystore.cli.launch.ReadinessClient;
import toystore.cli.load.LoadKind;
import toystore.clients.load.LiveLoad;
import toystore.clients.load.LiveLoad.Totals;

/// Injects one fault at a time, and observes whether what is promised holds. The page says what
/// that is; so does docs/operations.md. Any thread.
final class Faults implements AutoCloseable {
  /// A request to inject a fault.
  ///
  /// @param kind `kill`, `stop`, `slow-payments` or `lost-payments`
  /// @param process of the first two
  record FaultOrder(String kind, String process) {
    FaultOrder {
      ConsoleRefusal.requireOneOf(
          "kind", kind, Set.of("kill", "stop", "slow-payments", "lost-payments"));
    }
  }

  /// What a kind of requests of the load got since the fault began.
  ///
  /// @param gapMillis the longest time without a correct response
  /// @param failed numbers of requests by what was wrong
  record Loss(long gapMillis, long correct, Map<String, Long> failed) {}

  /// Something that is promised.
  ///
  /// @param ok whether it held; null: not known
  record PromiseCheck(String name, @Nullable Boolean ok, String detail) {}

  /// A fault and what was seen of it.
  ///
  /// @param phase `active`, `recovering`, `auditing` or `done`
  /// @param begun milliseconds since 1970
  /// @param recovered milliseconds since 1970; 0: not yet
  record FaultView(
      String kind,
      String process,
      String phase,
      long begun,
      long recovered,
      List<Loss> losses,
      List<PromiseCheck> checks) {}

  private static final Duration LONGEST = Duration.ofSeconds(60);
  private static final Duration RECOVERY = Duration.ofSeconds(90);
  private static final int AUDIT_MILLIS = 120_000;
  private static final Duration CALM = Duration.ofSeconds(2);
  private static final Duration POLL = Duration.ofMillis(200);

  private final AdministratorCalls administrator;
  private final Topology topology;
  private final Loads loads;
  private volatile @Nullable ObservedFault last;

  Faults(AdministratorCalls administrator, Topology topology, Loads loads) {
    this.administrator = administrator;
    this.topology = topology;
    this.loads = loads;
  }

  /// The last fault; null: there was none.
  @Nullable FaultView view() {
    var fault = last;
    return fault == null ? null : fault.view();
  }

  /// Injects a fault. If there is no load, starts one in which the fault is seen.
  synchronized void inject(FaultOrder order) throws IOException, InterruptedException {
    if (last != null && !last.phase.equals("done")) {
      throw new ConsoleRefusal(409, "another fault is observed; wait until that is done");
    }
    var isPayment = order.kind().endsWith("-payments");
    var process = topology.process(isPayment ? "payment-service" : order.process());
    if (ProcessHandle.of(process.pid()).filter(ProcessHandle::isAlive).isEmpty()) {
      throw new ConsoleRefusal(409, "%s is not running", process.part().name());
    }
    if (loads.current() == null) {
      loads.start(new LoadOrder(isPayment ? "purchase" : "mix", 4, 0.2));
    }
    var fault = new ObservedFault(order.kind(), process);
    fault.begin();
    last = fault;
    Thread.ofVirtual().name("console fault").start(fault::observe);
  }

  /// Ends a fault that lasts.
  void end() {
    if (last != null) {
      last.ended.countDown();
    }
  }

  /// The store's audit, as its frontend answers it.
  ///
  /// @param query `?full=true`: all rows are read again
  JsonNode audit(String query) throws IOException {
    var port = topology.port("frontend-service", "management");
    return ConsoleServer.JSON.readTree(ReadinessClient.body(port, "/audit" + query, AUDIT_MILLIS));
  }

  @Override
  public void close() {
    if (last != null) {
      last.undo();
    }
  }

  /// One fault. Its own thread observes it; any thread reads it.
  private final class ObservedFault {
    private final String kind;
    private final WatchedProcess process;
    private final long pid;
    private final long begun = System.currentTimeMillis();
    private final CountDownLatch ended = new CountDownLatch(1);
    private List<Totals> before = List.of();
    private volatile List<Loss> losses = List.of();
    private volatile List<PromiseCheck> checks = List.of();
    private volatile String phase = "active";
    private volatile long recovered;

    ObservedFault(String kind, WatchedProcess process) {
      this.kind = kind;
      this.process = process;
      this.pid = process.pid();
    }

    void begin() throws IOException, InterruptedException {
      var load = loads.current();
      if (load != null) {
        before = load.totals();
        load.watchGaps();
      }
      switch (kind) {
        case "kill" -> {
          ProcessHandle.of(pid).ifPresent(ProcessHandle::destroyForcibly);
          ended.countDown();
        }
        case "stop" -> signal("STOP");
        case "slow-payments" -> setPaymentFaults("\"delay\":\"3s\"");
        default -> setPaymentFaults("\"lostAnswers\":20");
      }
    }

    private void signal(String name) throws IOException, InterruptedException {
      var command = List.of("/bin/sh", "-c", "kill -" + name + " " + pid);
      if (new ProcessBuilder(command).start().waitFor() != 0) {
        throw new IOException(String.join(" ", command) + " failed");
      }
    }

    private void setPaymentFaults(String faults) throws IOException {
      administrator.setPaymentFaults(topology.port("payment-service", "gRPC"), faults);
    }

    /// Ends the fault, if it lasts.
    void undo() {
      try {
        if (kind.equals("stop")) {
          signal("CONT");
        } else if (!kind.equals("kill")) {
          setPaymentFaults("");
        }
      } catch (IOException | RuntimeException gone) {
        // the process has ended, and the fault with it
      } catch (InterruptedException closing) {
        Thread.currentThread().interrupt();
      }
    }

    void observe() {
      var found = new ArrayList<PromiseCheck>();
      try {
        var isEnded = ended.await(LONGEST.toMillis(), TimeUnit.MILLISECONDS);
        undo();
        phase = "recovering";
        var isBack = awaitRecovery();
        losses = losses();
        phase = "auditing";
        found.add(responses());
        var seconds = String.format(Locale.ROOT, "%.1f s", (recovered - begun) / 1e3);
        var after = isEnded ? seconds : seconds + "; the fault was ended after 60 s";
        found.add(
            new PromiseCheck("recovery", isBack, (isBack ? "after " : "not within ") + after));
        addOrders(found);
        found.add(audited());
      } catch (InterruptedException closing) {
        Thread.currentThread().interrupt();
      } finally {
        checks = found;
        phase = "done";
      }
    }

    /// Waits until every process is ready, and the load has had no failure for two seconds.
    private boolean awaitRecovery() throws InterruptedException {
      var until = System.nanoTime() + RECOVERY.toNanos();
      var calmSince = System.nanoTime();
      for (var failed = -1L; System.nanoTime() < until; Thread.sleep(POLL)) {
        var now = losses().stream().mapToLong(Faults::failed).sum();
        var isOld = kind.equals("kill") && process.pid() == pid;
        if (isOld || now != failed || !topology.areAllReady() || !isAnswering()) {
          failed = now;
          calmSince = System.nanoTime();
          recovered = System.currentTimeMillis();
        } else if (System.nanoTime() - calmSince > CALM.toNanos()) {
          return true;
        }
      }
      return false;
    }

    private boolean isAnswering() {
      var load = loads.current();
      return load == null
          || load.totals().stream().allMatch(it -> it.gapMillis() < CALM.toMillis());
    }

    private List<Loss> losses() {
      var load = loads.current();
      var now = load == null ? List.<Totals>of() : load.totals();
      return now.size() != before.size() // another load was started
          ? losses
          : IntStream.range(0, now.size()).mapToObj(i -> loss(before.get(i), now.get(i))).toList();
    }

    /// Every response was correct, or said that the request failed or may have failed.
    private PromiseCheck responses() {
      var failed = losses.stream().mapToLong(Faults::failed).sum();
      var wrong =
          losses.stream()
              .flatMap(it -> it.failed.entrySet().stream())
              .filter(it -> !LiveLoad.isPromised(it.getKey()))
              .map(it -> it.getValue() + " × " + it.getKey())
              .collect(Collectors.joining(", "));
      return wrong.isEmpty()
          ? new PromiseCheck(
              "responses", true, failed + " requests failed, none got a wrong response")
          : new PromiseCheck("responses", false, "wrong: " + wrong);
    }

    /// Every order that was acknowledged since the load began was made.
    private void addOrders(List<PromiseCheck> found) throws InterruptedException {
      var load = loads.current();
      var buys = loads.indexOf(LoadKind.BUY);
      if (load != null && buys >= 0) {
        var acknowledged = load.totals().get(buys).correct();
        var made = loads.ordersMade();
        found.add(
            new PromiseCheck(
                "orders",
                made < 0 ? null : made >= acknowledged,
                String.format(
                    Locale.ROOT,
                    "%d acknowledged since the load began, %d made",
                    acknowledged,
                    made)));
      }
    }

    private PromiseCheck audited() throws InterruptedException {
      var until = System.nanoTime() + RECOVERY.toNanos();
      for (var detail = ""; ; Thread.sleep(CALM)) {
        topology.areAllReady();
        try {
          var audit = audit("");
          detail = describe(audit);
          if (!audit.path("ok").isNull()) {
            return new PromiseCheck("audit", audit.path("ok").asBoolean(), detail);
          }
        } catch (IOException away) {
          detail = away.toString();
        }
        if (System.nanoTime() > until) {
          return new PromiseCheck("audit", null, detail);
        }
      }
    }

    FaultView view() {
      var isObserved = phase.equals("auditing") || phase.equals("done");
      return new FaultView(
          kind,
          process.part().name(),
          phase,
          begun,
          isObserved ? recovered : 0,
          isObserved ? losses : losses(),
          checks);
    }
  }

  private static Loss loss(Totals first, Totals now) {
    var failed = new TreeMap<>(now.failed());
    first.failed().forEach((what, count) -> failed.merge(what, -count, Long::sum));
    failed.values().removeIf(it -> it == 0);
    return new Loss(now.longestGapMillis(), now.correct() - first.correct(), failed);
  }

  private static long failed(Loss loss) {
    return loss.failed.values().stream().mapToLong(Long::longValue).sum();
  }

  private static String describe(JsonNode audit) {
    var checks = audit.path("checks");
    var bad =
        checks
            .valueStream()
            .filter(it -> !it.path("ok").asBoolean(false))
            .map(it -> it.path("name").asString("") + ": " + it.path("detail").asString(""))
            .collect(Collectors.joining("; "));
    return bad.isEmpty() ? "all " + checks.size() + " invariants hold" : bad;
  }
}
