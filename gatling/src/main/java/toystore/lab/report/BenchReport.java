package toystore.lab.report;

import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.summarizingLong;
import static java.util.stream.Collectors.summingDouble;

import java.util.Comparator;
import java.util.List;
import java.util.LongSummaryStatistics;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import toystore.lab.load.CellRow;
import toystore.lab.run.BlockRow;
import toystore.lab.run.CellKey;
import toystore.lab.stats.ConfidenceInterval;

/// The tables of `./toystore bench` in Markdown: every path, its ratio to the floors, and the buys
/// in each second of a start. The unit of all intervals is the block, with a start of each subject.
public record BenchReport(RunAnalysis run) {
  private static boolean isStore(CellKey cell) {
    return cell.subject().equals("store");
  }

  public String markdown() {
    String paths =
        new MarkdownTable<CellKey>()
            .text("path", it -> isStore(it) ? it.kind() : it.subject())
            .count("clients", CellKey::clients)
            .figure("requests/s", it -> run.figure(it, RunAnalysis::callsPerSecond).text(0))
            .figure("p50, µs", it -> run.figure(it, BenchReport::medianMicros).text(0))
            .text("CPU a request, µs", this::cpu)
            .of(cells());
    return Stream.of(paths, ratios(), starts())
        .filter(it -> !it.isEmpty())
        .collect(Collectors.joining("\n\n", "", "\n"));
  }

  private List<CellKey> cells() {
    return run.cells().stream()
        .sorted(
            Comparator.comparing(BenchReport::isStore)
                .thenComparing(CellKey::subject)
                .thenComparing(CellKey::kind))
        .toList();
  }

  private static double medianMicros(CellRow row) {
    return RunAnalysis.histogram(row).getValueAtPercentile(50);
  }

  private String cpu(CellKey cell) {
    Stream<String> processes =
        run.rows().stream()
            .filter(it -> it.subject().equals(cell.subject()))
            .flatMap(it -> it.cell().cost().cpuMicros().keySet().stream())
            .distinct()
            .sorted()
            .filter(it -> cpuMicros(cell, it) >= 0.5)
            .map(it -> "%s %.0f".formatted(it, cpuMicros(cell, it)));
    double client = run.figure(cell, RunAnalysis::clientMicros).value();
    return Stream.concat(processes, Stream.of("load client %.0f".formatted(client)))
        .collect(Collectors.joining(", "));
  }

  private double cpuMicros(CellKey cell, String process) {
    ToDoubleFunction<CellRow> micros =
        it -> it.cost().cpuMicros().getOrDefault(process, 0L) / (double) it.count();
    return run.figure(cell, micros).value();
  }

  /// The store's cells ÷ those of each floor with as many clients: of one client the median
  /// latencies, else the rates.
  private String ratios() {
    var table =
        new MarkdownTable<CellKey>()
            .text("÷ floor", it -> "%s @%d".formatted(it.kind(), it.clients()))
            .text("of", it -> it.clients() == 1 ? "p50" : "rate");
    cells().stream()
        .filter(it -> !isStore(it))
        .map(CellKey::subject)
        .distinct()
        .forEach(floor -> table.figure(floor, it -> ratio(it, floor).text(2)));
    return table.of(cells().stream().filter(BenchReport::isStore).toList());
  }

  private ConfidenceInterval ratio(CellKey cell, String floor) {
    ToDoubleFunction<CellRow> figure =
        cell.clients() == 1 ? BenchReport::medianMicros : RunAnalysis::callsPerSecond;
    var to = new CellKey(floor, "", cell.clients(), "empty");
    Map<Integer, Double> ofFloor = RunAnalysis.byBlock(run.measured("closed", to), figure);
    List<Double> logRatios =
        RunAnalysis.byBlock(run.measured("closed", cell), figure).entrySet().stream()
            .map(it -> Math.log(it.getValue() / ofFloor.getOrDefault(it.getKey(), Double.NaN)))
            .filter(Double::isFinite)
            .toList();
    return ConfidenceInterval.ofLogRatios(logRatios, ConfidenceInterval.LEVEL);
  }

  private String starts() {
    List<BlockRow> rows =
        run.rows().stream().filter(it -> it.cell().phase().equals("start")).toList();
    Map<Integer, LongSummaryStatistics> bySecond =
        rows.stream()
            .map(BlockRow::cell)
            .collect(
                groupingBy(CellRow::repetition, TreeMap::new, summarizingLong(CellRow::count)));
    String table =
        new MarkdownTable<Map.Entry<Integer, LongSummaryStatistics>>()
            .count("second since `up` was typed", Map.Entry::getKey)
            .figure("buys/s, 16 clients", it -> "%.0f".formatted(it.getValue().getAverage()))
            .figure("lowest", it -> Long.toString(it.getValue().getMin()))
            .figure("highest", it -> Long.toString(it.getValue().getMax()))
            .of(bySecond.entrySet());
    return table.isEmpty() ? "" : table + "\n" + buys(rows, 10) + buys(rows, 20);
  }

  private static String buys(List<BlockRow> rows, int until) {
    Map<Integer, Double> totals =
        rows.stream()
            .filter(it -> it.cell().repetition() <= until)
            .collect(groupingBy(BlockRow::block, summingDouble(it -> it.cell().count())));
    String buys = ConfidenceInterval.ofMean(totals.values(), ConfidenceInterval.LEVEL).text(0);
    return "\nBuys completed within %d s: %s.".formatted(until, buys);
  }
}
