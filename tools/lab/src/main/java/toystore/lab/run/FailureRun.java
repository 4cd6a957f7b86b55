package toystore.lab.run;

import static toystore.common.RootLocale.format;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import toystore.clients.load.CallSource;
import toystore.clients.load.FaultWatch;
import toystore.clients.load.Scenario;
import toystore.lab.run.FailurePlan.ClientFunction;
import toystore.lab.run.FailureRow.Cell;

/// The experiment `failures`: what clients see when a process dies. Its [FailurePlan] has a failure
/// in each cell:
///
/// ```
/// users log in ─▶ load ──── 5 s ──── kill ──── 10 s, then until the store is whole ──▶ audit
///                                    └ latencies of 10 s; gap, failed requests ┘
/// ```
///
/// Every function has clients of its own, so that none waits for another. Cells are in random
/// order; the store is started again after it has lost a server of PostgreSQL. One thread.
public final class FailureRun {
  public static final String NAME = "failures";
  private static final int WARM_UP_PAIRS = 10;
  private static final Duration LONGEST = Duration.ofSeconds(110);

  private final Path home;
  private final int port;
  private final Path folder;
  private final FailurePlan plan;
  private final Consumer<String> progress;
  private final List<FailureRow> rows;
  private @Nullable ReplicatedStore store;

  /// @param home the project folder
  /// @param port of the first frontend
  /// @param folder of the results; cells that it has are not measured again
  /// @param progress receives a line of text for each cell
  public FailureRun(Path home, int port, Path folder, FailurePlan plan, Consumer<String> progress)
      throws IOException {
    this.home = home;
    this.port = port;
    this.folder = Files.createDirectories(folder);
    this.plan = plan;
    this.progress = progress;
    this.rows = FailureRow.read(table(folder));
  }

  /// The file of the results.
  public static Path table(Path folder) {
    return folder.resolve("results.csv");
  }

  /// Measures what is missing.
  ///
  /// @param repetitions that there shall be
  public void run(int repetitions) throws IOException, InterruptedException, SQLException {
    if (rows.isEmpty()) {
      StoredRun.read(folder).note(RunConditions.facts());
    }
    try {
      for (int repetition = 1; repetition <= repetitions; repetition++) {
        for (Cell cell : plan.cells(repetition)) {
          if (rows.stream().noneMatch(it -> it.cell().equals(cell))) {
            List<FailureRow> measured = measure(cell);
            rows.addAll(measured);
            FailureRow.write(table(folder), rows);
            progress.accept(line(cell, measured));
          }
        }
      }
    } finally {
      stop();
    }
  }

  private static String line(Cell cell, List<FailureRow> measured) {
    FailureRow longest = Collections.max(measured, Comparator.comparing(FailureRow::gapMillis));
    return format(
        "%s, repetition %d, pairs %d, %s: longest gap %.2f s (%s), %d failed, whole after %.1f s%s",
        NAME,
        cell.repetition(),
        cell.pairs(),
        cell.failure(),
        longest.gapMillis() / 1e3,
        longest.function(),
        measured.stream().mapToLong(FailureRow::failures).sum(),
        longest.wholeMillis() / 1e3,
        measured.stream().allMatch(it -> it.broken().isEmpty()) ? "" : "; PROMISES BROKEN");
  }

  private List<FailureRow> measure(Cell cell)
      throws IOException, InterruptedException, SQLException {
    ReplicatedStore started = store == null ? start() : store;
    var loads = new ArrayList<FunctionLoad>();
    try {
      begin(loads, started, cell.pairs());
      Thread.sleep(Duration.ofSeconds(plan.beforeSeconds()));
      loads.forEach(FunctionLoad::failureBegins);
      var watch = new FaultWatch(loads.stream().map(FunctionLoad::load).toList());
      long begin = System.nanoTime();
      started.kill(plan.kills().getOrDefault(cell.failure(), ""));
      Thread.sleep(Duration.ofSeconds(plan.windowSeconds()));
      loads.forEach(FunctionLoad::windowEnds);
      watch.awaitRecovery(started::isWhole, FunctionLoad.ANSWERED_WITHIN, LONGEST);
      loads.forEach(FunctionLoad::observe);
      long wholeMillis = started.wholeMillis(begin);
      for (FunctionLoad load : loads) {
        load.finish();
      }
      var broken = new ArrayList<>(started.violated());
      if (wholeMillis < 0) {
        broken.add("not whole again after " + LONGEST.toSeconds() + " s");
      }
      var measured = new ArrayList<FailureRow>();
      for (FunctionLoad load : loads) {
        measured.add(load.row(cell, wholeMillis, broken));
      }
      return measured;
    } finally {
      loads.forEach(FunctionLoad::close);
      if (started.hasLostPrimary() || !started.isWhole()) {
        stop();
      }
    }
  }

  private ReplicatedStore start() throws IOException, InterruptedException, SQLException {
    progress.accept(NAME + ": starting a store");
    var started = new ReplicatedStore(home, port);
    store = started;
    if (plan.warmUpSeconds() > 0) {
      warmUp(started);
    }
    return started;
  }

  private void warmUp(ReplicatedStore started) throws IOException, InterruptedException {
    var loads = new ArrayList<FunctionLoad>();
    try {
      begin(loads, started, WARM_UP_PAIRS);
      Thread.sleep(Duration.ofSeconds(plan.warmUpSeconds()));
    } finally {
      loads.forEach(FunctionLoad::close);
    }
  }

  private void stop() throws IOException, InterruptedException {
    if (store != null) {
      store.close();
      store = null;
    }
  }

  /// Prepares all functions, then starts their clients: to prepare one registers items, too.
  private void begin(List<FunctionLoad> loads, ReplicatedStore store, int pairs)
      throws IOException, InterruptedException {
    var frontends = store.frontends();
    Scenario scenario = store.scenario();
    var calls = new LinkedHashMap<ClientFunction, CallSource>();
    for (ClientFunction function : plan.functions()) {
      int clients = plan.clients(function, pairs);
      calls.put(function, FunctionLoad.prepare(function, frontends, scenario, clients));
    }
    for (Map.Entry<ClientFunction, CallSource> function : calls.entrySet()) {
      int clients = plan.clients(function.getKey(), pairs);
      loads.add(new FunctionLoad(function.getKey(), function.getValue(), clients));
    }
  }
}
