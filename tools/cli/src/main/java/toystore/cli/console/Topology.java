package toystore.cli.console;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import toystore.cli.console.WatchedProcess.CallView;
import toystore.cli.console.WatchedProcess.ProcessView;
import toystore.cli.launch.ProcessSpec;
import toystore.cli.launch.StorePlan;

/// The store's processes and the calls between them. It asks them once a second, as long as
/// somebody asks it. Any thread.
final class Topology implements AutoCloseable {
  /// All processes, and the calls between them, the most frequent first.
  ///
  /// @param databases whether each host of PostgreSQL can be reached
  record TopologyView(
      List<ProcessView> processes, List<CallView> calls, Map<String, Boolean> databases) {}

  private static final Duration INTERVAL = Duration.ofSeconds(1);
  private static final Duration UNWATCHED = Duration.ofSeconds(15);
  private static final int CONNECT_MILLIS = 500;
  private static final int POSTGRESQL = 5432;
  private static final Pattern HOSTS = Pattern.compile("jdbc:postgresql://([^/]*)/.*");

  private final List<WatchedProcess> processes;
  private final List<String> databaseHosts;
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private volatile Map<String, Boolean> databases = Map.of();
  private volatile long askedAt;

  Topology(StorePlan plan) {
    Matcher hosts = HOSTS.matcher(plan.database() == null ? "" : plan.database());
    this.databaseHosts = hosts.matches() ? List.of(hosts.group(1).split(",", -1)) : List.of();
    this.processes =
        plan.parts().reversed().stream()
            .map(part -> new WatchedProcess(part, database(plan, part), peers(plan, part)))
            .toList();
  }

  private static String database(StorePlan plan, ProcessSpec part) {
    if (part.app().equals(plan.frontend().program())) {
      return "";
    }
    return plan.database() == null ? "SQLite" : "PostgreSQL";
  }

  private static List<String> peers(StorePlan plan, ProcessSpec part) {
    return plan.services().all().stream()
        .filter(it -> it.program().equals(part.app()))
        .flatMap(it -> it.peers().stream())
        .toList();
  }

  void onStarted(ProcessSpec part, Process process) {
    process(part.name()).onStarted(process);
  }

  void start() {
    threads.execute(() -> {
      try {
        while (true) {
          if (System.nanoTime() - askedAt < UNWATCHED.toNanos()) {
            refresh();
          }
          Thread.sleep(INTERVAL);
        }
      } catch (InterruptedException closing) {
        Thread.currentThread().interrupt();
      }
    });
  }

  /// Asks all processes now.
  void refresh() throws InterruptedException {
    threads.invokeAll(processes.stream().map(it -> Executors.callable(it::refresh)).toList());
    var reached = new TreeMap<String, Boolean>();
    databaseHosts.forEach(host -> reached.put(host, isReachable(URI.create("tcp://" + host))));
    databases = reached;
  }

  private static boolean isReachable(URI host) {
    int port = host.getPort() < 0 ? POSTGRESQL : host.getPort();
    try (var socket = new Socket()) {
      socket.connect(new InetSocketAddress(host.getHost(), port), CONNECT_MILLIS);
      return true;
    } catch (IOException away) {
      return false;
    }
  }

  TopologyView view() {
    askedAt = System.nanoTime();
    return new TopologyView(
        processes.stream().map(WatchedProcess::view).toList(),
        processes.stream()
            .flatMap(it -> it.calls().stream())
            .sorted(Comparator.comparingDouble(CallView::rate).reversed())
            .toList(),
        databases);
  }

  /// @param name of a process, or of a service in it
  WatchedProcess process(String name) {
    return processes.stream()
        .filter(it ->
            it.part().name().equals(name)
                || it.part().services().stream().anyMatch(one -> one.name().equals(name)))
        .findFirst()
        .orElseThrow(() -> new ConsoleRefusal(404, "no such process: %s", name));
  }

  boolean areAllReady() {
    askedAt = System.nanoTime();
    return processes.stream().allMatch(WatchedProcess::isReady);
  }

  /// The number of calls to a service that its callers have made since they started, as they were
  /// asked last.
  ///
  /// @param from a process; empty: of all
  /// @param to a service, such as `catalog`
  long callsMade(String from, String to) {
    return processes.stream()
        .filter(it -> from.isEmpty() || it.part().name().equals(from))
        .mapToLong(it -> it.callsMade(to))
        .sum();
  }

  /// The port of a service's process that works.
  ///
  /// @param program such as `payment-service`
  int port(String program, String protocol) throws IOException {
    return processes.stream()
        .filter(WatchedProcess::isWorking)
        .flatMap(it -> it.part().services().stream())
        .filter(it -> it.name().startsWith(program))
        .flatMap(it -> it.ports().stream())
        .filter(it -> it.protocol().equals(protocol))
        .findFirst()
        .orElseThrow(() -> new IOException(program + " is not ready"))
        .number();
  }

  @Override
  public void close() {
    threads.shutdownNow();
    processes.forEach(WatchedProcess::close);
  }
}
