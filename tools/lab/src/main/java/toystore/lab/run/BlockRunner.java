package toystore.lab.run;

import static toystore.common.RootLocale.format;

import java.io.IOException;
import java.net.URI;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import toystore.lab.load.CellRow;
import toystore.lab.load.NullServer;

/// Runs the blocks of an experiment that its run does not have yet. One thread.
public final class BlockRunner {
  private static final int MAX_ATTEMPTS = 3;

  private final ExperimentPlan plan;
  private final List<Subject> subjects;
  private final StoredRun run;
  private final Measurement measurement;
  private final Consumer<String> progress;

  /// Measures a start.
  @FunctionalInterface
  public interface Measurement {
    /// @param block from 1
    /// @param start order in the block, from 1
    /// @param nullServer URL of the null server; null: the load client is not calibrated
    /// @param environment of the start
    List<CellRow> rows(
        Subject subject,
        int block,
        int start,
        @Nullable URI nullServer,
        Map<String, String> environment)
        throws IOException, InterruptedException;
  }

  /// One start of a block.
  ///
  /// @param second whether it is the second start of the baseline
  private record PlannedStart(Subject subject, boolean second) {}

  /// @param progress receives a line of text for each start
  public BlockRunner(
      ExperimentPlan plan,
      List<Subject> subjects,
      StoredRun run,
      Measurement measurement,
      Consumer<String> progress) {
    this.plan = plan;
    this.subjects = List.copyOf(subjects);
    this.run = run;
    this.measurement = measurement;
    this.progress = progress;
  }

  /// @param blocks the number of blocks that the run shall have
  public void run(int blocks) throws IOException, InterruptedException {
    if (!run.hasBlock(1)) {
      run.note(RunConditions.facts());
    }
    var environment = new TreeMap<String, String>();
    for (Subject subject : subjects) {
      subject.prepare(environment);
    }
    try (var nullServer = new NullServer()) {
      for (int block = 1; block <= blocks; block++) {
        if (!run.hasBlock(block)) {
          run.add(block, undisturbed(block, nullServer.url(), environment));
        }
      }
    }
  }

  /// A block whose steal time is above the plan's limit is run again, whatever its latencies are.
  private List<BlockRow> undisturbed(int block, URI nullServer, Map<String, String> environment)
      throws IOException, InterruptedException {
    for (int attempt = 1; ; attempt++) {
      List<BlockRow> rows = block(block, nullServer, environment);
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

  private List<BlockRow> block(int block, URI nullServer, Map<String, String> environment)
      throws IOException, InterruptedException {
    var rows = new ArrayList<BlockRow>();
    int number = 0;
    for (PlannedStart start : starts(block)) {
      number++;
      long begin = System.nanoTime();
      String name = start.subject().name();
      URI calibration = plan.brief() && number > 1 ? null : nullServer;
      for (CellRow cell :
          measurement.rows(start.subject(), block, number, calibration, environment)) {
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
}
