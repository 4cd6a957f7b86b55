package toystore.lab.run;

import static toystore.common.RootLocale.format;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.Consumer;
import org.apache.commons.io.FileUtils;
import toystore.lab.load.CellRow;
import toystore.lab.load.NullServer;
import toystore.lab.load.StartPlan;
import toystore.lab.load.StartPlan.OpenCell;
import toystore.lab.load.StartPlan.PlannedCell;

/// Runs the blocks of an experiment that its run does not have yet. One thread.
public final class BlockRunner {
  private static final int MAX_ATTEMPTS = 3;

  private final ExperimentPlan plan;
  private final List<Subject> subjects;
  private final StoredRun run;
  private final Consumer<String> progress;

  /// One start of a block.
  ///
  /// @param second whether it is the second start of the baseline
  private record PlannedStart(Subject subject, boolean second) {}

  /// @param progress receives a line of text for each start
  public BlockRunner(
      ExperimentPlan plan, List<Subject> subjects, StoredRun run, Consumer<String> progress) {
    this.plan = plan;
    this.subjects = List.copyOf(subjects);
    this.run = run;
    this.progress = progress;
  }

  /// @param blocks the number of blocks that the run shall have
  public void run(int blocks) throws IOException, InterruptedException {
    if (!run.hasBlock(1)) {
      run.note(RunConditions.facts());
    }
    try (var nullServer = new NullServer()) {
      for (int block = 1; block <= blocks; block++) {
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
      String share = format("%.4f", steal);
      progress.accept(
          "block " + block + ": a share of " + share + " of the CPU time was stolen; run again");
      run.note(Map.of(format("again.%02d.%d", block, attempt), "steal " + share));
    }
  }

  private List<BlockRow> block(int block, URI nullServer) throws IOException, InterruptedException {
    var rows = new ArrayList<BlockRow>();
    int number = 0;
    for (PlannedStart start : starts(block)) {
      number++;
      long begin = System.nanoTime();
      String name = start.subject().name();
      for (CellRow cell : measureStart(block, number, start.subject(), nullServer)) {
        rows.add(new BlockRow(block, number, name, start.second(), cell));
      }
      progress.accept(
          format(
              "%s, block %d, start %d: %s, %.0f s",
              plan.name(),
              block,
              number,
              start.second() ? name + " again" : name,
              (System.nanoTime() - begin) / 1e9));
    }
    return rows;
  }

  private List<PlannedStart> starts(int block) {
    var order = new ArrayList<PlannedStart>();
    subjects.forEach(it -> order.add(new PlannedStart(it, false)));
    subjects.stream()
        .filter(it -> !plan.brief() && it.name().equals(plan.baseline()))
        .forEach(it -> order.add(new PlannedStart(it, true)));
    Collections.shuffle(order, new Random(plan.seed() + block));
    return order;
  }

  /// Measures one start: the closed loop with one load client, then the open loop, whose rates
  /// depend on it, with another.
  private List<CellRow> measureStart(int block, int start, Subject subject, URI nullServer)
      throws IOException, InterruptedException {
    Path folder = Files.createTempDirectory(subject.parentFolder(), "toystore-lab-");
    try (RunningSubject running = subject.start(folder)) {
      long seed = plan.seed() * 1_000_003 + 101L * block + start;
      var client = new LoadClient(folder, subject, running);
      var closed =
          new StartPlan(
              running.url(),
              plan.scenario(),
              running.values,
              seed,
              System.currentTimeMillis(),
              running.pids,
              running.metrics,
              plan.brief() && start > 1 ? null : nullServer,
              plan.coldPass(),
              subject.warmUpSeconds(plan.warmUpSeconds()),
              plan.warmUpClients(),
              cells(subject, new Random(seed)),
              plan.course(),
              List.of(),
              plan.settlingMillis(),
              plan.measuringMillis());
      var rows = new ArrayList<>(client.rows(closed));
      List<OpenCell> open = openCells(rows);
      if (!open.isEmpty()) {
        rows.addAll(client.rows(closed.after(open)));
      }
      rejectIfAllWrong(rows);
      return rows;
    } finally {
      FileUtils.deleteDirectory(folder.toFile());
    }
  }

  /// A cell without a correct response has no latency; mostly a check of the scenario is wrong.
  private void rejectIfAllWrong(List<CellRow> rows) throws IOException {
    for (CellRow row : rows) {
      if (row.count() == 0 && row.errors() > 0 && !row.phase().equals("open")) {
        String none = "none of " + row.errors() + " responses to " + row.kind() + " was correct: ";
        throw new IOException(plan.name() + ": " + none + row.firstError());
      }
    }
  }

  /// All cells of a subject in random order, once for each repetition.
  private List<PlannedCell> cells(Subject subject, Random random) {
    var cells = new ArrayList<PlannedCell>();
    for (int repetition = 1; repetition <= plan.repetitions(); repetition++) {
      int number = repetition;
      var order =
          new ArrayList<>(
              plan.cells(subject.name()).stream()
                  .filter(it -> subject.hasCondition(it.condition()))
                  .map(it ->
                      new PlannedCell(
                          number,
                          plan.called(it.kind()),
                          it.clients(),
                          it.condition(),
                          StoreCondition.probability(it.condition())))
                  .distinct()
                  .toList());
      Collections.shuffle(order, random);
      cells.addAll(order);
    }
    return cells;
  }

  /// The rates of the open loop: shares of the highest rate that the closed loop reached.
  private List<OpenCell> openCells(List<CellRow> rows) {
    var cells = new ArrayList<OpenCell>();
    for (String kind : plan.kinds()) {
      double highest =
          rows.stream()
              .filter(it -> it.phase().equals("closed") && it.kind().equals(kind))
              .mapToDouble(it -> it.count() / it.seconds())
              .max()
              .orElse(0);
      plan.openShares().forEach(it -> cells.add(new OpenCell(kind, it * highest)));
    }
    return cells;
  }
}
