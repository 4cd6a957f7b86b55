package toystore.lab.run;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.function.Consumer;
import java.util.stream.Stream;
import toystore.lab.load.CellRow;
import toystore.lab.load.NullServer;
import toystore.lab.load.StartPlan;

/// Runs the blocks of an experiment that its run does not have yet. One thread.
public final class BlockRunner {
  private static final int MAX_ATTEMPTS = 3;

  private final ExperimentPlan plan;
  private final List<Subject> subjects;
  private final StoredRun run;
  private final Consumer<String> progress;

  /// One start of a block.
  private record PlannedStart(int number, Subject subject, boolean second) {}

  /// @param progress receives a line of text for each start
  public BlockRunner(
      ExperimentPlan plan, List<Subject> subjects, StoredRun run, Consumer<String> progress) {
    this.plan = plan;
    this.subjects = List.copyOf(subjects);
    this.run = run;
    this.progress = progress;
  }

  /// Decides whether a run needs another block.
  public interface Continuation {
    /// @param blocks the number of blocks that the run has
    boolean isNeeded(int blocks) throws IOException;
  }

  /// @param blocks the number of blocks that the run shall have
  public void run(int blocks) throws IOException, InterruptedException {
    run(done -> done < blocks);
  }

  /// @param another asked before each block
  public void run(Continuation another) throws IOException, InterruptedException {
    run.note(RunConditions.facts());
    try (var nullServer = new NullServer()) {
      for (int block = 1; another.isNeeded(block - 1); block++) {
        if (!run.hasBlock(block)) {
          run.add(block, undisturbed(block, nullServer.url()));
        }
      }
    }
  }

  /// A block whose steal time is above the plan's limit is run again, whatever its latencies are.
  private List<BlockRow> undisturbed(int block, URI nullServer)
      throws IOException, InterruptedException {
    for (int attempt = 1; ; attempt++) {
      List<BlockRow> rows = block(block, nullServer);
      double steal =
          rows.stream().mapToDouble(it -> it.cell().cost().stealShare()).average().orElse(0);
      if (steal <= plan.maxSteal() || attempt == MAX_ATTEMPTS) {
        return rows;
      }
      progress.accept(
          "block %d: %.1f %% of the CPU time was stolen; run again".formatted(block, steal * 100));
      run.note(Map.of("again.%02d.%d".formatted(block, attempt), "steal %.4f".formatted(steal)));
    }
  }

  private List<BlockRow> block(int block, URI nullServer) throws IOException, InterruptedException {
    var rows = new ArrayList<BlockRow>();
    for (PlannedStart start : starts(block)) {
      long begin = System.nanoTime();
      for (CellRow cell : measured(block, start, nullServer)) {
        rows.add(new BlockRow(block, start.number(), start.subject().name(), start.second(), cell));
      }
      progress.accept(
          "%s, block %d, start %d: %s%s, %.0f s"
              .formatted(
                  plan.name(),
                  block,
                  start.number(),
                  start.subject().name(),
                  start.second() ? " again" : "",
                  (System.nanoTime() - begin) / 1e9));
    }
    return rows;
  }

  private List<PlannedStart> starts(int block) {
    var order = new ArrayList<PlannedStart>();
    subjects.forEach(it -> order.add(new PlannedStart(0, it, false)));
    subjects.stream()
        .filter(it -> !plan.brief() && it.name().equals(plan.baseline()))
        .forEach(it -> order.add(new PlannedStart(0, it, true)));
    Collections.shuffle(order, new Random(plan.seed() + block));
    var numbered = new ArrayList<PlannedStart>();
    for (PlannedStart start : order) {
      numbered.add(new PlannedStart(numbered.size() + 1, start.subject(), start.second()));
    }
    return numbered;
  }

  /// Measures one start: the closed loop with one load client, then the open loop, whose rates
  /// depend on it, with another.
  private List<CellRow> measured(int block, PlannedStart start, URI nullServer)
      throws IOException, InterruptedException {
    Path folder = Files.createTempDirectory("toystore-lab-");
    try (Subject.Running running = start.subject().start(folder)) {
      long seed = plan.seed() * 1_000_003 + 101L * block + start.number();
      boolean simulated = !plan.simulation().isEmpty();
      var client = new LoadClient(folder);
      var closed =
          new StartPlan(
              running.url(),
              scenario(folder).toString(),
              running.values(),
              seed,
              running.readyMillis(),
              running.pids(),
              running.metrics(),
              plan.brief() && start.number() > 1 ? null : nullServer,
              plan.coldPass(),
              plan.warmUpSeconds(),
              plan.warmUpClients(),
              cells(start.subject(), new Random(seed)),
              List.of(),
              plan.settlingMillis(),
              plan.measuringMillis(),
              plan.traceEvery());
      var rows =
          new ArrayList<>(
              simulated
                  ? client.gatling(closed, plan.simulation(), run.gatlingReports())
                  : client.own(closed, running));
      StartPlan rest = closed.after(simulated ? ownCells() : List.of(), openCells(rows));
      if (!rest.cells().isEmpty() || !rest.openCells().isEmpty()) {
        rows.addAll(client.own(rest, running));
      }
      rejectIfAllWrong(rows);
      return rows;
    } finally {
      delete(folder);
    }
  }

  /// A cell without a correct response has no latency; mostly a check of the scenario is wrong.
  private void rejectIfAllWrong(List<CellRow> rows) throws IOException {
    for (CellRow row : rows) {
      if (row.count() == 0 && row.errors() > 0 && !row.phase().equals("open")) {
        throw new IOException(
            "%s: none of %d responses to %s was correct: %s"
                .formatted(plan.name(), row.errors(), row.kind(), row.firstError()));
      }
    }
  }

  private Path scenario(Path folder) throws IOException {
    if (!plan.scenario().isEmpty()) {
      return Path.of(plan.scenario());
    }
    Path file = folder.resolve("scenario.json");
    try (var store = getClass().getResourceAsStream("/toystore/lab/store.json")) {
      Files.copy(Objects.requireNonNull(store, "store.json"), file);
    }
    return file;
  }

  /// All cells of a subject in random order, once for each repetition.
  private List<StartPlan.PlannedCell> cells(Subject subject, Random random) {
    var cells = new ArrayList<StartPlan.PlannedCell>();
    for (int repetition = 1; repetition <= plan.repetitions(); repetition++) {
      var order = new ArrayList<StartPlan.PlannedCell>();
      for (String condition : plan.conditions().stream().filter(subject::hasCondition).toList()) {
        for (String kind : plan.kinds(subject.name())) {
          for (int clients : plan.clients()) {
            order.add(new StartPlan.PlannedCell("closed", repetition, kind, clients, condition));
          }
        }
      }
      Collections.shuffle(order, random);
      cells.addAll(order);
    }
    return cells;
  }

  /// The cells of a simulation with the fewest and the most clients, which the load client's own
  /// loop repeats: the two must agree. It cannot repeat the kinds of a mixed load.
  private List<StartPlan.PlannedCell> ownCells() {
    return plan.openKinds().stream()
        .flatMap(kind ->
            Stream.of(plan.clients().getFirst(), plan.clients().getLast())
                .map(clients -> new StartPlan.PlannedCell("own", 1, kind, clients, "")))
        .toList();
  }

  /// The rates of the open loop: shares of the highest rate that the closed loop reached.
  private List<StartPlan.OpenCell> openCells(List<CellRow> rows) {
    var cells = new ArrayList<StartPlan.OpenCell>();
    for (String kind : plan.openKinds()) {
      double highest =
          rows.stream()
              .filter(it -> it.phase().equals("closed") && it.kind().equals(kind))
              .mapToDouble(it -> it.count() / it.seconds())
              .max()
              .orElse(0);
      plan.openShares()
          .forEach(share -> cells.add(new StartPlan.OpenCell(kind, share, share * highest)));
    }
    return cells;
  }

  private static void delete(Path folder) throws IOException {
    try (Stream<Path> files = Files.walk(folder)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    }
  }
}
