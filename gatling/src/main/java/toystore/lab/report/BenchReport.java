package toystore.lab.report;

import static java.util.stream.Collectors.averagingDouble;
import static java.util.stream.Collectors.groupingBy;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;
import toystore.lab.load.CellRow;
import toystore.lab.run.BlockRow;
import toystore.lab.stats.ConfidenceInterval;

/// The tables of `./toystore bench` in Markdown: every path, its ratio to the floors, and the buys
/// in each second of a start. The unit of all intervals is the block, with a start of each subject.
///
/// @param rows of complete blocks
public record BenchReport(List<BlockRow> rows) {
  private static final String STORE = "store";

  /// What is called, by how many clients.
  private record BenchCell(String subject, String kind, int clients) {
    String path() {
      return subject.equals(STORE) ? kind : subject;
    }
  }

  public String markdown() {
    var text = new StringBuilder();
    text.append("| path | clients | requests/s | p50, µs | CPU a request, µs |\n");
    text.append("|---|--:|--:|--:|---|\n");
    for (BenchCell cell : cells()) {
      text.append(
          "| %s | %d | %s | %s | %s |\n"
              .formatted(
                  cell.path(),
                  cell.clients(),
                  mean(cell, BenchReport::rate).text(0),
                  mean(cell, BenchReport::medianMicros).text(0),
                  cpu(cell)));
    }
    text.append(ratios());
    text.append(starts());
    return text.toString();
  }

  private Set<BenchCell> cells() {
    return rows.stream()
        .filter(it -> it.cell().phase().equals("closed"))
        .map(it -> new BenchCell(it.subject(), it.cell().kind(), it.cell().clients()))
        .sorted(
            Comparator.comparing((BenchCell it) -> it.subject().equals(STORE))
                .thenComparing(BenchCell::subject)
                .thenComparing(BenchCell::kind)
                .thenComparing(BenchCell::clients))
        .collect(Collectors.toCollection(LinkedHashSet::new));
  }

  private static double rate(CellRow row) {
    return row.count() / row.seconds();
  }

  private static double medianMicros(CellRow row) {
    return StoredHistogram.read(row.histogram()).getValueAtPercentile(50);
  }

  private Map<Integer, Double> byBlock(BenchCell cell, ToDoubleFunction<CellRow> figure) {
    return rows.stream()
        .filter(it ->
            it.cell().phase().equals("closed")
                && new BenchCell(it.subject(), it.cell().kind(), it.cell().clients()).equals(cell))
        .collect(
            groupingBy(
                BlockRow::block,
                TreeMap::new,
                averagingDouble(it -> figure.applyAsDouble(it.cell()))));
  }

  private ConfidenceInterval mean(BenchCell cell, ToDoubleFunction<CellRow> figure) {
    return ConfidenceInterval.ofMean(byBlock(cell, figure).values(), ConfidenceInterval.LEVEL);
  }

  private String cpu(BenchCell cell) {
    Set<String> processes =
        rows.stream()
            .filter(it -> it.subject().equals(cell.subject()))
            .flatMap(it -> it.cell().cost().cpuMicros().keySet().stream())
            .collect(Collectors.toCollection(TreeSet::new));
    var parts = new ArrayList<String>();
    for (String process : processes) {
      ConfidenceInterval micros =
          mean(cell, it -> it.cost().cpuMicros().getOrDefault(process, 0L) / (double) it.count());
      if (micros.value() >= 0.5) {
        parts.add("%s %.0f".formatted(process, micros.value()));
      }
    }
    parts.add(
        "load client %.0f"
            .formatted(
                mean(cell, it -> it.cost().clientCpuMicros() / (double) it.count()).value()));
    return String.join(", ", parts);
  }

  /// The store's cells ÷ those of each floor with as many clients: of one client the median
  /// latencies, else the rates.
  private String ratios() {
    List<String> floors =
        cells().stream()
            .map(BenchCell::subject)
            .filter(it -> !it.equals(STORE))
            .distinct()
            .toList();
    var text = new StringBuilder("\n| ÷ floor | of |");
    floors.forEach(it -> text.append(" %s |".formatted(it)));
    text.append("\n|---|---|").append("--:|".repeat(floors.size())).append('\n');
    for (BenchCell cell : cells()) {
      if (cell.subject().equals(STORE)) {
        boolean one = cell.clients() == 1;
        text.append("| %s @%d | %s |".formatted(cell.kind(), cell.clients(), one ? "p50" : "rate"));
        for (String floor : floors) {
          ToDoubleFunction<CellRow> figure = one ? BenchReport::medianMicros : BenchReport::rate;
          var to = new BenchCell(floor, "empty", cell.clients());
          text.append(" %s |".formatted(ratio(byBlock(cell, figure), byBlock(to, figure)).text(2)));
        }
        text.append('\n');
      }
    }
    return text.toString();
  }

  private static ConfidenceInterval ratio(Map<Integer, Double> of, Map<Integer, Double> to) {
    List<Double> logRatios =
        of.entrySet().stream()
            .map(it -> Math.log(it.getValue() / to.getOrDefault(it.getKey(), Double.NaN)))
            .filter(Double::isFinite)
            .toList();
    return ConfidenceInterval.ofLogRatios(logRatios, ConfidenceInterval.LEVEL);
  }

  private String starts() {
    Map<Integer, List<CellRow>> bySecond =
        rows.stream()
            .map(BlockRow::cell)
            .filter(it -> it.phase().equals("start"))
            .collect(groupingBy(CellRow::repetition, TreeMap::new, Collectors.toList()));
    if (bySecond.isEmpty()) {
      return "";
    }
    var text =
        new StringBuilder(
            "\n| second since `up` was typed | buys/s, 16 clients | lowest | highest |\n"
                + "|--:|--:|--:|--:|\n");
    bySecond.forEach((second, cells) -> {
      var counts = cells.stream().mapToLong(CellRow::count).summaryStatistics();
      text.append(
          "| %d | %.0f | %d | %d |\n"
              .formatted(second, counts.getAverage(), counts.getMin(), counts.getMax()));
    });
    for (int until : new int[] {10, 20}) {
      text.append("\nBuys completed within %d s: %s.".formatted(until, buys(until).text(0)));
    }
    return text.append('\n').toString();
  }

  private ConfidenceInterval buys(int until) {
    Map<Integer, Double> totals =
        rows.stream()
            .filter(it -> it.cell().phase().equals("start") && it.cell().repetition() <= until)
            .collect(
                groupingBy(BlockRow::block, Collectors.summingDouble(it -> it.cell().count())));
    return ConfidenceInterval.ofMean(totals.values(), ConfidenceInterval.LEVEL);
  }
}
