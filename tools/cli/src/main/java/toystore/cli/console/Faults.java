package toystore.cli.console;

import static java.nio.charset.StandardCharsets.UTF_8;
import static toystore.common.RootLocale.format;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import toystore.cli.console.Loads.LoadOrder;
import toystore.cli.console.Loads.LoadRun;
import toystore.cli.launch.JavaCommandLine;
import toystore.cli.launch.ReadinessClient;
import toystore.cli.load.LoadKind;
import toystore.clients.load.FaultWatch;
import toystore.clients.load.LiveLoad.Totals;

/// Injects one fault at a time, and observes whether what is promised holds. The page says what
/// that is; so does docs/how-to/break.md. Any thread.
final class Faults implements AutoCloseable {
  /// A request to inject a fault.
  ///
  /// @param process of `kill`, `stop`, `full-disk` and `cut`
  /// @param peer of `cut`: the service that the process calls
  record FaultOrder(String kind, @Nullable String process, @Nullable String peer) {
    private static final Set<String> KINDS =
        Set.of("kill", "stop", "full-disk", "cut", "database", "slow-payments", "lost-payments");

    FaultOrder {
      ConsoleRefusal.requireOneOf("kind", kind, KINDS);
    }
  }

  /// What begins or ends a fault.
  @FunctionalInterface
  private interface Step {
    void run() throws IOException, InterruptedException;
  }

  /// The calls that a fault affects.
  ///
  /// @param from the process that makes them; empty: all
  /// @param to the service that is called; empty: the requests of the load
  private record CallPath(String from, String to) {
    private static final CallPath OF_LOAD = new CallPath("", "");

    /// Calls to a process. The frontend, and the process of all services, get those of the load.
    static CallPath to(WatchedProcess process) {
      String app = process.part().app();
      return app.equals("frontend-service") || app.equals("store")
          ? OF_LOAD
          : new CallPath("", app.replaceFirst("-service$", ""));
    }

    @Override
    public String toString() {
      if (to.isEmpty()) {
        return "request";
      }
      return "call " + (from.isEmpty() ? "" : "of " + from + " ") + "to " + to;
    }
  }

  /// How to inject a fault.
  ///
  /// @param where the process or service in which it is
  /// @param path the calls that it affects
  /// @param end null: it does not last
  private record Injection(String where, CallPath path, Step begin, @Nullable Step end) {}

  /// Whether a promise held.
  enum PromiseResult {
    HELD,
    BROKEN,
    UNKNOWN,
    /// Nothing happened that could have broken it.
    NOT_TRIED
  }

  /// Something that is promised.
  record PromiseCheck(String name, PromiseResult result, String detail) {}

  /// A fault and what was seen of it.
  ///
  /// @param peer the service to which calls are cut; empty: none
  /// @param phase `active`, `recovering`, `auditing` or `done`
  /// @param begun milliseconds since 1970
  /// @param recovered milliseconds since 1970; 0: not yet
  /// @param kinds of the load that ran when it began
  /// @param losses what each kind got since then
  /// @param loadEnded whether that load has ended before the fault was observed
  record FaultView(
      String kind,
      String process,
      String peer,
      String phase,
      long begun,
      long recovered,
      List<LoadKind> kinds,
      List<Totals> losses,
      boolean loadEnded,
      List<PromiseCheck> checks) {}

  private static final Duration LONGEST = Duration.ofSeconds(60);
  private static final Duration RECOVERY = Duration.ofSeconds(90);
  private static final int AUDIT_MILLIS = 120_000;
  private static final Duration CALM = Duration.ofSeconds(2);

  private final String shop;
  private final @Nullable String database;
  private final AdministratorCalls administrator;
  private final Topology topology;
  private final Loads loads;
  private volatile @Nullable ObservedFault last;

  /// @param shop the frontend's URL
  /// @param database the URL of PostgreSQL; null: each service has an SQLite file
  Faults(
      String shop,
      @Nullable String database,
      AdministratorCalls administrator,
      Topology topology,
      Loads loads) {
    this.shop = shop;
    this.database = database;
    this.administrator = administrator;
    this.topology = topology;
    this.loads = loads;
  }

  /// The last fault; null: there was none.
  @Nullable FaultView view() {
    ObservedFault fault = last;
    return fault == null ? null : fault.view();
  }

  /// Injects a fault. If there is no load, starts one in which the fault is seen.
  synchronized void inject(FaultOrder order) throws IOException, InterruptedException {
    if (last != null && !last.phase.equals("done")) {
      throw new ConsoleRefusal(409, "another fault is observed; wait until that is done");
    }
    Injection injection = injection(order);
    LoadRun load = loads.current();
    if (load == null) {
      load = loads.start(new LoadOrder(loadFor(injection), 4, 0.2));
    }
    topology.refresh();
    var fault = new ObservedFault(order.kind(), injection, load);
    fault.begin();
    last = fault;
    Thread.ofVirtual().name("console fault").start(fault::observe);
  }

  /// The kind of load in which a fault is seen.
  private static String loadFor(Injection injection) {
    String where = injection.where + " " + injection.path.to;
    if (where.contains("exchange")) {
      return "exchange";
    }
    return where.contains("payment") || where.contains("account") ? "purchase" : "mix";
  }

  private Injection injection(FaultOrder order) throws IOException, InterruptedException {
    return switch (order.kind()) {
      case "kill" -> kill(running(order));
      case "stop" -> stop(running(order));
      case "full-disk" -> fullDisk(running(order));
      case "cut" -> cut(running(order), String.valueOf(order.peer()));
      case "database" -> endSessions();
      case "slow-payments" -> payments("\"delay\":\"3s\"");
      default -> payments("\"lostAnswers\":20");
    };
  }

  private WatchedProcess running(FaultOrder order) {
    WatchedProcess process = topology.process(String.valueOf(order.process()));
    if (ProcessHandle.of(process.pid()).filter(ProcessHandle::isAlive).isEmpty()) {
      throw new ConsoleRefusal(409, "%s is not running", process.part().name());
    }
    return process;
  }

  private static Injection kill(WatchedProcess process) {
    Step kill =
        () -> {
          Optional<ProcessHandle> running = ProcessHandle.of(process.pid());
          running.ifPresent(ProcessHandle::destroyForcibly);
          running.ifPresent(it -> it.onExit().join());
          process.refresh(); // it is not ready
        };
    return new Injection(process.part().name(), CallPath.to(process), kill, null);
  }

  private static Injection stop(WatchedProcess process) {
    long pid = process.pid();
    return new Injection(
        process.part().name(),
        CallPath.to(process),
        () -> shell("kill -STOP " + pid),
        () -> shell("kill -CONT " + pid));
  }

  /// The kernel refuses to write a byte of a file beyond the limit of its size.
  private static Injection fullDisk(WatchedProcess process)
      throws IOException, InterruptedException {
    if (!process.view().role().endsWith("SQLite")) {
      throw new ConsoleRefusal(409, "%s has no SQLite file", process.part().name());
    }
    String limit = "prlimit --pid " + process.pid() + " --fsize";
    String usual = shell(limit + " --output=SOFT --noheadings --raw").strip();
    return new Injection(
        process.part().name(),
        CallPath.to(process),
        () -> shell(limit + "=0:"),
        () -> shell(limit + "=" + usual + ":"));
  }

  private static Injection cut(WatchedProcess process, String peer) {
    List<String> peers = process.view().peers();
    if (!peers.contains(peer)) {
      throw new ConsoleRefusal(
          400, "peer must be one that %s calls: %s; got %s", process.part().name(), peers, peer);
    }
    return new Injection(
        process.part().name(),
        new CallPath(process.part().name(), peer),
        () -> process.send("cut " + peer),
        () -> process.send("restore " + peer));
  }

  private Injection payments(String faults) {
    return new Injection(
        "payment-service",
        new CallPath("", "payment"),
        () -> setPaymentFaults(faults),
        () -> setPaymentFaults(""));
  }

  private void setPaymentFaults(String faults) throws IOException {
    administrator.setPaymentFaults(topology.port("payment-service", "gRPC"), faults);
  }

  private Injection endSessions() throws IOException {
    if (database == null) {
      throw new ConsoleRefusal(409, "the store has no PostgreSQL database");
    }
    List<String> command = JavaCommandLine.ofStore("toystore.store.DatabaseSessions", database);
    return new Injection("PostgreSQL", CallPath.OF_LOAD, () -> output(command), null);
  }

  private static String shell(String command) throws IOException, InterruptedException {
    return output(List.of("/bin/sh", "-c", command));
  }

  /// What a command prints. It fails with a message.
  private static String output(List<String> command) throws IOException, InterruptedException {
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    var output = new String(process.getInputStream().readAllBytes(), UTF_8);
    if (process.waitFor() != 0) {
      throw new ConsoleRefusal(409, "%s: %s", command.getLast(), output.strip());
    }
    return output;
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
    int port = topology.port("frontend-service", "management");
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
    private final Injection injection;
    private final long begun = System.currentTimeMillis();
    private final CountDownLatch ended = new CountDownLatch(1);
    private final LoadRun load;
    private final FaultWatch watch;
    private final long callsBefore;
    private volatile List<Totals> losses = List.of();
    private volatile boolean loadEnded;
    private volatile List<PromiseCheck> checks = List.of();
    private volatile String phase = "active";

    ObservedFault(String kind, Injection injection, LoadRun load) {
      this.kind = kind;
      this.injection = injection;
      this.load = load;
      this.watch = new FaultWatch(List.of(load.load()));
      this.callsBefore = topology.callsMade(injection.path.from, injection.path.to);
    }

    void begin() throws IOException, InterruptedException {
      load.orders().keepLatest();
      injection.begin.run();
      if (injection.end == null) {
        ended.countDown();
      }
    }

    /// Ends the fault, if it lasts.
    void undo() {
      try {
        if (injection.end != null) {
          injection.end.run();
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
        boolean isEnded = ended.await(LONGEST.toMillis(), TimeUnit.MILLISECONDS);
        undo();
        phase = "recovering";
        boolean isBack = watch.awaitRecovery(topology::areAllReady, CALM, RECOVERY);
        losses = watch.losses();
        loadEnded = !load.isRunning();
        phase = "auditing";
        topology.refresh();
        found.add(responses());
        addQueries(found);
        String seconds = format("%.1f s", watch.recovery().toMillis() / 1e3);
        String after = isEnded ? seconds : seconds + "; the fault was ended after 60 s";
        found.add(
            new PromiseCheck(
                "recovery",
                isBack ? PromiseResult.HELD : PromiseResult.BROKEN,
                (isBack ? "after " : "not within ") + after));
        if (load.order().kinds().contains(LoadKind.BUY)) {
          found.add(load.orders().check(shop));
        }
        found.add(checkAudit());
      } catch (InterruptedException closing) {
        Thread.currentThread().interrupt();
      } finally {
        checks = found;
        phase = "done";
      }
    }

    /// The number of calls that the fault may have affected.
    private long callsMade() {
      long requests = losses.stream().mapToLong(Totals::requests).sum();
      long made = topology.callsMade(injection.path.from, injection.path.to) - callsBefore;
      return injection.path.to.isEmpty() ? requests : made;
    }

    /// Every response was correct, or said that the request failed or may have failed.
    private PromiseCheck responses() {
      if (callsMade() == 0) {
        return new PromiseCheck(
            "responses",
            PromiseResult.NOT_TRIED,
            "no " + injection.path + " was made since the fault began");
      }
      long failed = losses.stream().mapToLong(Totals::failures).sum();
      String wrong = FaultWatch.broken(losses);
      return wrong.isEmpty()
          ? new PromiseCheck(
              "responses",
              PromiseResult.HELD,
              failed + " requests failed, none got a wrong response")
          : new PromiseCheck("responses", PromiseResult.BROKEN, "wrong: " + wrong);
    }

    /// A service whose disk is full answers queries.
    private void addQueries(List<PromiseCheck> found) {
      int query = load.order().kinds().indexOf(LoadKind.QUERY);
      if (kind.equals("full-disk") && query >= 0) {
        Totals got = losses.get(query);
        PromiseResult held = got.failures() == 0 ? PromiseResult.HELD : PromiseResult.BROKEN;
        found.add(
            new PromiseCheck(
                "queries",
                got.requests() == 0 ? PromiseResult.NOT_TRIED : held,
                got.correct() + " answered, " + got.failures() + " failed"));
      }
    }

    private PromiseCheck checkAudit() throws InterruptedException {
      long until = System.nanoTime() + RECOVERY.toNanos();
      for (var detail = ""; ; Thread.sleep(CALM)) {
        topology.areAllReady();
        try {
          JsonNode audit = audit("");
          detail = describe(audit);
          if (!audit.path("ok").isNull()) {
            PromiseResult result =
                audit.path("ok").asBoolean() ? PromiseResult.HELD : PromiseResult.BROKEN;
            return new PromiseCheck("audit", result, detail);
          }
        } catch (IOException away) {
          detail = away.toString();
        }
        if (System.nanoTime() > until) {
          return new PromiseCheck("audit", PromiseResult.UNKNOWN, detail);
        }
      }
    }

    FaultView view() {
      boolean isObserved = phase.equals("auditing") || phase.equals("done");
      return new FaultView(
          kind,
          injection.where,
          kind.equals("cut") ? injection.path.to : "",
          phase,
          begun,
          isObserved ? begun + watch.recovery().toMillis() : 0,
          load.order().kinds(),
          isObserved ? losses : watch.losses(),
          isObserved ? loadEnded : !load.isRunning(),
          checks);
    }
  }

  private static String describe(JsonNode audit) {
    JsonNode checks = audit.path("checks");
    String bad =
        checks
            .valueStream()
            .filter(it -> !it.path("ok").asBoolean(false))
            .map(it -> it.path("name").asString("") + ": " + it.path("detail").asString(""))
            .collect(Collectors.joining("; "));
    return bad.isEmpty() ? "all " + checks.size() + " invariants hold" : bad;
  }
}
