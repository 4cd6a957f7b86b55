package toystore.cli.console;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.io.OutputStream;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import toystore.cli.console.MetricsScrape.LatencyBuckets;
import toystore.cli.launch.ProcessSpec;
import toystore.cli.launch.ReadinessClient;
import toystore.cli.launch.StoppedProcesses;

/// A process of the store as the console sees it: its state, and its metrics of the last seconds.
/// Any thread.
final class WatchedProcess implements AutoCloseable {
  /// What it does now.
  enum Health {
    DOWN,
    /// By SIGSTOP.
    STOPPED,
    STARTING,
    /// It was ready, and is not now.
    NOT_READY,
    STANDBY,
    READY
  }

  /// A process.
  ///
  /// @param peers the services that it calls
  /// @param cpu cores used in the last seconds: 1.0 is one core
  /// @param refusesWrites whether its database cannot be written
  record ProcessView(
      String name,
      String state,
      String role,
      String address,
      List<String> peers,
      long pid,
      int restarts,
      String version,
      double heapUsed,
      double heapMax,
      double cpu,
      boolean refusesWrites) {}

  /// The calls that a process made in the last seconds; latencies are in milliseconds.
  ///
  /// @param rate per second
  /// @param failed those without an answer of the service, per second
  record CallView(
      String from, String to, String method, double rate, double failed, double p50, double p99) {}

  private static final int TIMEOUT_MILLIS = 2_000;
  private static final int WINDOW = 5; // scrapes, one a second

  private final ProcessSpec part;
  private final ReadinessClient client;
  private final String database;
  private final List<String> peers;
  private final Deque<MetricsScrape> scrapes = new ArrayDeque<>();
  private @Nullable Process process;
  private int starts;
  private boolean wasReady;
  private Health health = Health.STARTING;

  /// @param database where it keeps its data; empty: it has none
  /// @param peers the services that it calls
  WatchedProcess(ProcessSpec part, String database, List<String> peers) {
    this.part = part;
    this.client = new ReadinessClient(part);
    this.database = database;
    this.peers = peers;
  }

  ProcessSpec part() {
    return part;
  }

  synchronized void onStarted(Process started) {
    process = started;
    starts++;
    wasReady = false;
    health = Health.STARTING;
    scrapes.clear();
  }

  synchronized long pid() {
    return process == null ? -1 : process.pid();
  }

  /// Writes a line to its standard input: see [toystore.cli.launch.Supervisor].
  synchronized void send(String line) throws IOException {
    OutputStream input = requireNonNull(process).getOutputStream();
    input.write((line + "\n").getBytes(UTF_8));
    input.flush();
  }

  synchronized boolean isWorking() {
    return health == Health.READY;
  }

  /// Whether it works, or would take over from one that does.
  synchronized boolean isReady() {
    return health == Health.READY || health == Health.STANDBY;
  }

  /// The number of calls to a service since its start.
  synchronized long callsMade(String to) {
    return scrapes.isEmpty()
        ? 0
        : scrapes.getLast().calls().entrySet().stream()
            .filter(it -> it.getKey().peer().equals(to))
            .mapToLong(it -> (long) it.getValue().count())
            .sum();
  }

  /// Asks the process. Takes at most a few seconds.
  void refresh() {
    long asked = pid();
    Health now = health(asked);
    MetricsScrape scrape = null;
    if (now != Health.DOWN && now != Health.STOPPED) {
      try {
        String page =
            ReadinessClient.body(part.managementPort(), "/actuator/prometheus", TIMEOUT_MILLIS);
        scrape = MetricsScrape.of(page, System.nanoTime());
      } catch (IOException ended) {
        // its health is asked again in a second
      }
    }
    synchronized (this) {
      if (asked == pid()) {
        health = now == Health.NOT_READY && !wasReady ? Health.STARTING : now;
        wasReady |= isReady();
        if (scrape == null) {
          scrapes.clear();
        } else {
          scrapes.add(scrape);
        }
        if (scrapes.size() > WINDOW + 1) {
          scrapes.removeFirst();
        }
      }
    }
  }

  private Health health(long asked) {
    if (ProcessHandle.of(asked).filter(ProcessHandle::isAlive).isEmpty()) {
      return Health.DOWN;
    }
    return StoppedProcesses.isStopped(asked)
        ? Health.STOPPED
        : Health.valueOf(client.state().readiness().name());
  }

  synchronized ProcessView view() {
    MetricsScrape last = scrapes.isEmpty() ? MetricsScrape.NONE : scrapes.getLast();
    MetricsScrape first = scrapes.isEmpty() ? MetricsScrape.NONE : scrapes.getFirst();
    String role = health == Health.STANDBY ? "standby, " : "active, ";
    return new ProcessView(
        part.name(),
        health.name().toLowerCase(Locale.ROOT).replace('_', ' '),
        database.isEmpty() ? "" : role + database,
        part.services().stream()
            .map(ProcessSpec.Service::describePorts)
            .collect(Collectors.joining("; ")),
        peers,
        pid(),
        Math.max(starts - 1, 0),
        last.version(),
        last.heapUsed(),
        last.heapMax(),
        (last.cpuNanos() - first.cpuNanos()) / Math.max(last.nanos() - first.nanos(), 1),
        last.refusesWrites());
  }

  @Override
  public void close() {
    client.close();
  }

  /// Its calls of the last seconds.
  synchronized List<CallView> calls() {
    if (scrapes.size() < 2) {
      return List.of();
    }
    MetricsScrape before = scrapes.getFirst();
    MetricsScrape last = scrapes.getLast();
    double seconds = (last.nanos() - before.nanos()) / 1e9;
    return last.calls().entrySet().stream()
        .map(made -> {
          MetricsScrape.Method method = made.getKey();
          LatencyBuckets since =
              made.getValue().since(before.calls().getOrDefault(method, LatencyBuckets.NONE));
          return new CallView(
              part.name(),
              method.peer(),
              method.name(),
              since.count() / seconds,
              (last.failed(method) - before.failed(method)) / seconds,
              since.quantile(0.5) * 1e3,
              since.quantile(0.99) * 1e3);
        })
        .filter(it -> it.rate() > 0)
        .toList();
  }
}
