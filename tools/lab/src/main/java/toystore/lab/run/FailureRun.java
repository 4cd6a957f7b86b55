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
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import toystore.clients.load.CallSource;
import toystore.clients.load.Scenario;
import toystore.lab.run.FailureRow.Cell;

/// The experiment `failures`: what clients see when a process dies. It is no [ExperimentPlan],
/// because a cell has a failure in it:
///
/// ```
/// users log in ─▶ load ──── 5 s ──── kill ──── 10 s, or until the store is whole ────▶ audit
///                                    └ latencies of 10 s; gap, failed requests ┘
/// ```
///
/// Every function has clients of its own, so that none waits for another. Cells are in random
/// order; the store is started again after it has lost a server of PostgreSQL. One thread.
public final class FailureRun {
  public static final String NAME = "failures";
  private static final long SEED = 53;
  private static final int WARM_UP_PAIRS = 10;
  private static final Duration LONGEST = Duration.ofSeconds(120);
  private static final long POLL_MILLIS = 50;

  private final Path home;
  private final int port;
  private final Path folder;
  private final Extent extent;
  private final Consumer<String> progress;
  private final List<FailureRow> rows;
  private @Nullable ReplicatedStore store;

  /// What is measured.
  ///
  /// @param repetitions unless others are asked for
  /// @param pairs numbers of pairs of a seller and a buyer
  /// @param warmUp of a started store
  /// @param before time of a load before the failure
  /// @param window time after it whose latencies are reported
  public record Extent(
      int repetitions,
      List<Integer> pairs,
      List<Failure> failures,
      Duration warmUp,
      Duration before,
      Duration window) {
    public static final Extent WHOLE =
        new Extent(
            3,
            List.of(1, 10, 100),
            List.of(Failure.values()),
            Duration.ofSeconds(20),
            Duration.ofSeconds(5),
            Duration.ofSeconds(10));

    public static final Extent QUICK =
        new Extent(
            1,
            List.of(10),
            List.of(Failure.CATALOG),
            Duration.ZERO,
            Duration.ofSeconds(1),
            Duration.ofSeconds(2));

    /// In random order.
    private List<Cell> cells(int repetition) {
      var cells = new ArrayList<Cell>();
      pairs.forEach(number -> failures.forEach(it -> cells.add(new Cell(repetition, number, it))));
      Collections.shuffle(cells, new Random(SEED + repetition));
      return cells;
    }
  }

  /// @param home the project folder
  /// @param port of the first frontend
  /// @param folder of the results; cells that it has are not measured again
  /// @param progress receives a line of text for each cell
  public FailureRun(Path home, int port, Path folder, Extent extent, Consumer<String> progress)
      throws IOException {
    this.home = home;
    this.port = port;
    this.folder = Files.createDirectories(folder);
    this.extent = extent;
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
        for (Cell cell : extent.cells(repetition)) {
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
      Thread.sleep(extent.before);
      loads.forEach(FunctionLoad::failureBegins);
      long begin = System.nanoTime();
      started.inject(cell.failure());
      long wholeMillis = observe(loads, started, begin);
      for (FunctionLoad load : loads) {
        load.finish();
      }
      var broken = new ArrayList<>(started.violated());
      if (wholeMillis < 0) {
        broken.add("not whole again within " + LONGEST.toSeconds() + " s");
      }
      var measured = new ArrayList<FailureRow>();
      for (FunctionLoad load : loads) {
        measured.add(load.row(cell, wholeMillis, broken));
      }
      return measured;
    } finally {
      loads.forEach(FunctionLoad::close);
      if (cell.failure() == Failure.PRIMARY || !started.isWhole()) {
        stop();
      }
    }
  }

  private ReplicatedStore start() throws IOException, InterruptedException, SQLException {
    progress.accept(NAME + ": starting a store");
    var started = new ReplicatedStore(home, port);
    store = started;
    if (!extent.warmUp.isZero()) {
      warmUp(started);
    }
    return started;
  }

  private void warmUp(ReplicatedStore started) throws IOException, InterruptedException {
    var loads = new ArrayList<FunctionLoad>();
    try {
      begin(loads, started, WARM_UP_PAIRS);
      Thread.sleep(extent.warmUp);
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
  private static void begin(List<FunctionLoad> loads, ReplicatedStore store, int pairs)
      throws IOException, InterruptedException {
    var frontends = store.frontends();
    Scenario scenario = store.scenario();
    var calls = new EnumMap<ClientFunction, CallSource>(ClientFunction.class);
    for (ClientFunction function : ClientFunction.values()) {
      calls.put(function, FunctionLoad.prepare(function, frontends, scenario, pairs));
    }
    for (Map.Entry<ClientFunction, CallSource> function : calls.entrySet()) {
      loads.add(new FunctionLoad(function.getKey(), function.getValue(), pairs));
    }
  }

  /// Waits until the window is over, every process is there and every function is answered.
  ///
  /// @param begin of the failure
  /// @return from then until every process was there again; -1: not yet
  private long observe(List<FunctionLoad> loads, ReplicatedStore store, long begin)
      throws InterruptedException {
    long wholeMillis = -1;
    boolean isWindow = true;
    for (long millis = 0; millis < LONGEST.toMillis(); ) {
      if (!store.isWhole()) {
        wholeMillis = -1;
      } else if (wholeMillis < 0) {
        wholeMillis = millis;
      }
      if (isWindow && millis >= extent.window.toMillis()) {
        loads.forEach(FunctionLoad::windowEnds);
        isWindow = false;
      }
      loads.forEach(FunctionLoad::observe);
      if (!isWindow && wholeMillis >= 0 && loads.stream().allMatch(FunctionLoad::isAnswered)) {
        return wholeMillis;
      }
      Thread.sleep(POLL_MILLIS); // there is no notification
      millis = (System.nanoTime() - begin) / 1_000_000;
    }
    return wholeMillis;
  }
}
