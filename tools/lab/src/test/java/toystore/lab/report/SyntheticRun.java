package toystore.lab.report;

import static toystore.common.RootLocale.format;

import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.LongStream;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.HistogramLogWriter;
import toystore.lab.load.CellCost;
import toystore.lab.load.CellRow;
import toystore.lab.load.StartPlan;
import toystore.lab.run.BlockRow;
import toystore.lab.run.ExperimentPlan;

/// A run with known figures: a query with one client takes 500 µs, a buy `buyOverQuery` times as
/// long, and each further client adds a tenth. Blocks differ by 10 %, starts by 1 %.
///
/// @param buyDrift last ÷ first repetition of buys
/// @param overloadedFrom share of the highest rate from which the open loop is overloaded
record SyntheticRun(
    ExperimentPlan plan, int blocks, double buyOverQuery, double buyDrift, double overloadedFrom) {
  private static final double QUERY_MICROS = 500;
  private static final int CALLS = 2_000;

  static SyntheticRun of(ExperimentPlan plan) {
    return new SyntheticRun(plan, plan.blocks(), 3, 1, 0.9);
  }

  RunAnalysis analysis() {
    return new RunAnalysis(plan, rows());
  }

  /// Writes the run as it is stored.
  Path store(Path folder) throws IOException {
    var json = new JsonMapper();
    Files.createDirectories(folder);
    Files.writeString(folder.resolve("plan.json"), plan.json());
    Files.writeString(folder.resolve("about.json"), "{\"cpu\":\"a | b\",\"commit\":\"1a2b\"}");
    for (int block = 1; block <= blocks; block++) {
      var lines = new StringBuilder();
      for (BlockRow row : rows(block)) {
        lines.append(json.writeValueAsString(row)).append('\n');
      }
      Files.writeString(folder.resolve(format("block-%02d.jsonl", block)), lines);
    }
    return folder;
  }

  List<BlockRow> rows() {
    var rows = new ArrayList<BlockRow>();
    for (int block = 1; block <= blocks; block++) {
      rows.addAll(rows(block));
    }
    return rows;
  }

  private List<BlockRow> rows(int block) {
    var rows = new ArrayList<BlockRow>();
    for (int start = 1; start <= 2; start++) {
      for (CellRow cell : start(new Random(10L * block + start), 1 + 0.1 * (block % 3))) {
        rows.add(new BlockRow(block, start, plan.baseline(), start == 2, cell));
      }
    }
    return rows;
  }

  private List<CellRow> start(Random random, double ofBlock) {
    double ofStart = ofBlock * Math.exp(0.01 * random.nextGaussian());
    var rows = new ArrayList<CellRow>();
    plan.clients().forEach(it -> rows.add(row("null", "null", it, 0, 0, 1, 50)));
    for (StartPlan.ColdCell cell : plan.coldPass()) {
      rows.add(row("cold", cell.kind(), cell.clients(), 0, 0, 2, 4 * mean(cell.kind(), 1)));
    }
    for (int second = 1; second <= plan.warmUpSeconds(); second++) {
      rows.add(row("warm-up", "all", 5, 0, 0, second, 800 + 2_000.0 / second));
    }
    for (int repetition = 1; repetition <= plan.repetitions(); repetition++) {
      for (String kind : plan.kinds()) {
        for (int clients : plan.clients()) {
          double age = kind.equals("buy") && repetition > 1 ? buyDrift : 1;
          double micros =
              mean(kind, clients) * ofStart * age * Math.exp(0.005 * random.nextGaussian());
          rows.add(row("closed", kind, clients, 0, repetition, 60.0 * repetition, micros));
        }
      }
    }
    for (String kind : plan.kinds()) {
      plan.openShares()
          .forEach(
              it -> rows.add(row("open", kind, 0, 1_000 * it, 0, 170, mean(kind, 1) / (1 - it))));
    }
    return rows;
  }

  private double mean(String kind, int clients) {
    return QUERY_MICROS * (kind.equals("buy") ? buyOverQuery : 1) * (1 + 0.1 * (clients - 1));
  }

  private CellRow row(
      String phase,
      String kind,
      int clients,
      double rate,
      int repetition,
      double since,
      double micros) {
    boolean open = phase.equals("open");
    boolean overloaded = open && rate >= 1_000 * overloadedFrom;
    String verdict = overloaded ? "overloaded: by half" : "valid";
    var latencies = new Histogram(3);
    for (int i = 0; i < CALLS; i++) {
      latencies.recordValue(Math.round(micros * (0.5 - 0.5 * Math.log(1 - (i + 0.5) / CALLS))));
    }
    return new CellRow(
        phase,
        kind,
        clients,
        "",
        rate,
        repetition,
        since,
        2,
        CALLS,
        CALLS,
        overloaded ? CALLS / 2 : CALLS,
        0,
        null,
        micros,
        LongStream.rangeClosed(1, open ? 0 : clients).map(it -> it * 1_000).boxed().toList(),
        open ? verdict : "",
        new CellCost(
            Map.of("catalog", 200_000L, "frontend", 400_000L),
            Map.of("catalog", (long) micros * CALLS / 2),
            Map.of("catalog", 10L),
            Map.of("catalog", 90L * 1_024, "frontend", 100L * 1_024),
            kind.equals("query") ? CALLS / 4 * 3 : 0,
            kind.equals("query") ? CALLS / 4 : 0,
            90_000,
            25 * CALLS,
            0.001),
        line(latencies));
  }

  private static String line(Histogram histogram) {
    var bytes = new ByteArrayOutputStream();
    try (var out = new PrintStream(bytes, false, StandardCharsets.UTF_8)) {
      new HistogramLogWriter(out).outputIntervalHistogram(histogram);
    }
    return bytes.toString(StandardCharsets.UTF_8).strip();
  }
}
