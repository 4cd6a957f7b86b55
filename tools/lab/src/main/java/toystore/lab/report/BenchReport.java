package toystore.lab.report;

import static toystore.common.RootLocale.format;
import static toystore.lab.report.MarkdownTable.MISSING;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import toystore.lab.load.CellRow;
import toystore.lab.run.BlockRow;
import toystore.lab.run.CellKey;
import toystore.lab.run.ExperimentPlan.PlannedContrast;
import toystore.lab.stats.ConfidenceInterval;

/// The tables of `./toystore bench` in Markdown: every path, its ratio to the floors and to another
/// version of the store, the planned contrasts, and the memory of each process. The unit of all
/// intervals is the block, with a start of each subject.
public record BenchReport(RunAnalysis run) {
  private static final String STORE = "store";
  private static final String MARKETPLACE = "marketplace"; // the store in a start of its own
  private static final String BEFORE = "before"; // the store of another version
  private static final String JPA = "jpa"; // another service with queries and buys

  private static boolean isFloor(CellKey cell) {
    return cell.kind().equals("empty");
  }

  private static String name(CellKey cell) {
    return switch (cell.subject()) {
      case STORE, MARKETPLACE -> cell.kind();
      case String subject when isFloor(cell) -> subject;
      case String subject -> cell.kind() + ", " + subject;
    };
  }

  public String markdown() {
    String paths =
        new MarkdownTable<CellKey>()
            .text("path", BenchReport::name)
            .count("clients", CellKey::clients)
            .figure("requests/s", it -> run.figure(it, RunAnalysis::callsPerSecond).text(0))
            .figure("p50, µs", it -> run.figure(it, BenchReport::medianMicros).text(0))
            .figure("errors, %", it -> format("%.1f", errorPercent(it)))
            .text("CPU a request, µs", this::cpu)
            .of(run.cells());
    return Stream.of(paths, ratios(), contrasts(), memory())
        .filter(it -> !it.isEmpty())
        .collect(Collectors.joining("\n\n", "", "\n"));
  }

  /// The share of requests that were refused, or whose response was wrong.
  private double errorPercent(CellKey cell) {
    return run.figure(cell, it -> 100.0 * it.errors() / it.asked()).value();
  }

  private static double medianMicros(CellRow row) {
    return RunAnalysis.percentile(row, 50);
  }

  private String cpu(CellKey cell) {
    return run.rows().stream()
        .filter(it -> it.subject().equals(cell.subject()))
        .flatMap(it -> RunTables.cpu(it.cell().cost()).keySet().stream())
        .distinct()
        .sorted()
        .filter(it -> cpuMicros(cell, it) >= 0.5)
        .map(it -> it + " " + Math.round(cpuMicros(cell, it)))
        .collect(Collectors.joining(", "));
  }

  private double cpuMicros(CellKey cell, String process) {
    ToDoubleFunction<CellRow> micros =
        it -> RunTables.cpu(it.cost()).getOrDefault(process, 0L) / (double) it.count();
    return run.figure(cell, micros).value();
  }

  /// The cells of all stores ÷ those of each floor and of the other stores, with as many clients:
  /// of one client the median latencies, else the rates.
  private String ratios() {
    var table =
        new MarkdownTable<CellKey>()
            .text("÷", it -> name(it) + " @" + it.clients())
            .text("of", it -> it.clients() == 1 ? "p50" : "rate");
    run.cells().stream()
        .filter(BenchReport::isFloor)
        .map(CellKey::subject)
        .distinct()
        .forEach(floor -> table.figure(floor, it -> ratio(it, floor, "empty")));
    List<CellKey> stores = run.cells().stream().filter(it -> !isFloor(it)).toList();
    List<String> subjects = stores.stream().map(CellKey::subject).distinct().toList();
    Stream.of(STORE, BEFORE, JPA)
        .filter(it -> subjects.size() > 1 && subjects.contains(it))
        .forEach(other ->
            table.figure(
                other, it -> it.subject().equals(other) ? MISSING : ratio(it, other, it.kind())));
    return table.of(stores);
  }

  private String ratio(CellKey cell, String subject, String kind) {
    ToDoubleFunction<CellRow> figure =
        cell.clients() == 1 ? BenchReport::medianMicros : RunAnalysis::callsPerSecond;
    var to = new CellKey(subject, "", cell.clients(), kind);
    Map<Integer, Double> ofOther = RunAnalysis.byBlock(run.measured("closed", to), figure);
    List<Double> logRatios =
        RunAnalysis.byBlock(run.measured("closed", cell), figure).entrySet().stream()
            .map(it -> Math.log(it.getValue() / ofOther.getOrDefault(it.getKey(), Double.NaN)))
            .filter(Double::isFinite)
            .toList();
    return logRatios.isEmpty() ? MISSING : ConfidenceInterval.ofLogRatios(logRatios).text(2);
  }

  private String contrasts() {
    return new MarkdownTable<PlannedContrast>()
        .text("latency", PlannedContrast::name)
        .text("of", it -> it.percentile() == 0 ? "mean" : "p" + it.percentile())
        .figure("ratio", it -> ConfidenceInterval.ofLogRatios(run.logRatios(it)).text(2))
        .of(run.contrasts());
  }

  /// The most of each start, at the end of a cell.
  private String memory() {
    var mostMib = new TreeMap<String, Map<Integer, Double>>(); // by process, by block
    for (BlockRow row : run.rows()) {
      Map<String, Long> residentKb = row.cell().cost().residentKb();
      residentKb.forEach((process, kb) ->
          mostMib
              .computeIfAbsent(row.subject() + ", " + process, _ -> new TreeMap<>())
              .merge(row.block(), kb / 1024.0, Math::max));
    }
    return new MarkdownTable<Map.Entry<String, Map<Integer, Double>>>()
        .text("process", Map.Entry::getKey)
        .figure(
            "resident memory under load, MiB",
            it -> ConfidenceInterval.ofMean(it.getValue().values()).text(0))
        .of(mostMib.entrySet());
  }
}
