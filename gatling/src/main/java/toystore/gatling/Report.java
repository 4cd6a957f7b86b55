package toystore.gatling;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/// What a person reads of a run: the table, and the chart of clients against mean latency with one
/// line a kind. Made from a results folder alone, so it can be made again later: `java -cp
/// gatling/target/classes toystore.gatling.Report FOLDER`.
final class Report {
  private Report() {}

  public static void main(String[] arguments) throws IOException {
    if (arguments.length != 1) {
      throw new IllegalArgumentException("one argument wanted: the results folder");
    }
    System.out.print(write(Results.read(Path.of(arguments[0]))));
  }

  /// Writes `report.txt` and `chart.svg` into the results folder and returns the text, which ends
  /// with a line break.
  static String write(Results results) throws IOException {
    Path chart = results.folder().resolve("chart.svg");
    Files.writeString(chart, chart(results).svg());
    String text = text(results, chart);
    Files.writeString(results.folder().resolve("report.txt"), text);
    return text;
  }

  private static String text(Results results, Path chart) {
    return """
    %s, %s

    %s
    chart  %s
    csv    %s
    """
        .formatted(
            results.experiment(),
            where(results.about()),
            Table.of(results.cells()),
            chart.toAbsolutePath(),
            Results.cellsFile(results.folder()).toAbsolutePath());
  }

  private static String where(Map<String, String> about) {
    return "%s CPUs, %s, Java %s, %s"
        .formatted(
            about.getOrDefault("cpus", "?"),
            about.getOrDefault("os", "?"),
            about.getOrDefault("java", "?"),
            about.getOrDefault("time", "?"));
  }

  private static LineChart chart(Results results) {
    return new LineChart(
        results.experiment() + ": mean latency by number of clients",
        where(results.about()) + ". " + means(results.cells()),
        "clients",
        "mean latency (µs)",
        lines(results.cells()));
  }

  private static String means(List<Cell> cells) {
    return cells.stream()
        .map(cell ->
            "%s, clients: %d, mean: %d µs"
                .formatted(cell.kind(), cell.clients(), Math.round(cell.meanMicros())))
        .collect(Collectors.joining("; "));
  }

  private static List<LineChart.Line> lines(List<Cell> cells) {
    return cells.stream()
        .collect(Collectors.groupingBy(Cell::kind, LinkedHashMap::new, Collectors.toList()))
        .entrySet()
        .stream()
        .map(kind -> new LineChart.Line(kind.getKey(), points(kind.getValue())))
        .toList();
  }

  private static List<LineChart.Point> points(List<Cell> cells) {
    return cells.stream()
        .sorted((a, b) -> Integer.compare(a.clients(), b.clients()))
        .map(cell -> new LineChart.Point(cell.clients(), cell.meanMicros()))
        .toList();
  }
}
