package toystore.lab.run;

import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.Consumer;
import java.util.stream.Stream;
import toystore.lab.load.CellRow;
import toystore.lab.load.NullServer;
import toystore.lab.load.StartPlan;

/// Runs the blocks of an experiment that its run does not have yet. One thread.
public final class BlockRunner {
  private static final int MAX_ATTEMPTS = 3;
  private static final JsonMapper JSON = new JsonMapper();

  private final ExperimentPlan plan;
  private final List<Subject> subjects;
  private final StoredRun run;
  private final Path scenario;
  private final Map<String, List<String>> values;
  private final Consumer<String> progress;

  /// One start of a block.
  private record PlannedStart(int number, Subject subject, boolean second) {}

  /// @param scenario file of the requests
  /// @param values additional values of the scenario
  /// @param progress receives a line of text for each start
  public BlockRunner(
      ExperimentPlan plan,
      List<Subject> subjects,
      StoredRun run,
      Path scenario,
      Map<String, List<String>> values,
      Consumer<String> progress) {
    this.plan = plan;
    this.subjects = List.copyOf(subjects);
    this.run = run;
    this.scenario = scenario;
    this.values = Map.copyOf(values);
    this.progress = progress;
  }

  public void run() throws IOException, InterruptedException {
    try (var nullServer = new NullServer()) {
      for (int block = 1; block <= plan.blocks(); block++) {
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
          "block %d of %d, start %d: %s%s, %.0f s"
              .formatted(
                  block,
                  plan.blocks(),
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
        .filter(it -> it.name().equals(plan.baseline()))
        .forEach(it -> order.add(new PlannedStart(0, it, true)));
    Collections.shuffle(order, new Random(plan.seed() + block));
    var numbered = new ArrayList<PlannedStart>();
    for (PlannedStart start : order) {
      numbered.add(new PlannedStart(numbered.size() + 1, start.subject(), start.second()));
    }
    return numbered;
  }

  private List<CellRow> measured(int block, PlannedStart start, URI nullServer)
      throws IOException, InterruptedException {
    Path folder = Files.createTempDirectory("toystore-lab-");
    try (Subject.Running running = start.subject().start(folder)) {
      Path planFile = folder.resolve("start.json");
      Path rows = folder.resolve("rows.jsonl");
      JSON.writeValue(planFile.toFile(), startPlan(block, start, running, nullServer));
      load(planFile, rows);
      var cells = new ArrayList<CellRow>();
      for (String line : Files.readAllLines(rows)) {
        cells.add(JSON.readValue(line, CellRow.class));
      }
      return cells;
    } finally {
      delete(folder);
    }
  }

  private StartPlan startPlan(
      int block, PlannedStart start, Subject.Running running, URI nullServer) {
    long seed = plan.seed() * 1_000_003 + 101L * block + start.number();
    return new StartPlan(
        running.url(),
        scenario.toString(),
        values,
        seed,
        running.readyMillis(),
        running.pids(),
        running.metrics(),
        nullServer,
        plan.coldPass(),
        plan.warmUpSeconds(),
        plan.warmUpClients(),
        cells(new Random(seed)),
        plan.settlingMillis(),
        plan.measuringMillis(),
        plan.openShares(),
        plan.openKinds(),
        plan.traceEvery());
  }

  /// All cells in random order, once for each repetition.
  private List<StartPlan.PlannedCell> cells(Random random) {
    var cells = new ArrayList<StartPlan.PlannedCell>();
    for (int repetition = 1; repetition <= plan.repetitions(); repetition++) {
      var order = new ArrayList<StartPlan.PlannedCell>();
      for (String kind : plan.kinds()) {
        for (int clients : plan.clients()) {
          order.add(new StartPlan.PlannedCell(repetition, kind, clients));
        }
      }
      Collections.shuffle(order, random);
      cells.addAll(order);
    }
    return cells;
  }

  /// Runs the load client in a JVM of its own.
  private static void load(Path plan, Path rows) throws IOException, InterruptedException {
    Process client =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx512m",
                "-XX:+UseSerialGC",
                "-cp",
                System.getProperty("java.class.path"),
                "toystore.lab.load.LoadProgram",
                plan.toString(),
                rows.toString())
            .inheritIO()
            .start();
    if (client.waitFor() != 0) {
      throw new IOException("the load client failed; see its output above");
    }
  }

  private static void delete(Path folder) throws IOException {
    try (Stream<Path> files = Files.walk(folder)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    }
  }
}
