package toystore.gatling.report;

import java.util.ArrayList;
import java.util.List;
import java.util.NavigableSet;
import java.util.stream.Collectors;
import toystore.gatling.result.Cell;
import toystore.gatling.result.ChartDefinition;

/// The charts of a report: those that the run defines; otherwise mean latency by measured round
/// trip if the run has distances; otherwise mean latency by number of clients, one chart per kind
/// and one line per subject (a single chart if there is one subject).
record Charts(RunByCell measured) {

  List<LineChart> all() {
    List<ChartDefinition> asked = ChartDefinition.of(measured.run());
    if (!asked.isEmpty()) {
      return asked.stream().map(this::asked).filter(Charts::hasLines).toList();
    }
    if (!Slope.distances(measured).isEmpty()) {
      return Slope.distances(measured).stream()
          .map(this::byDistance)
          .filter(Charts::hasLines)
          .toList();
    }
    if (measured.subjects().size() == 1) {
      return List.of(
          byClients(
              "mean",
              "Mean latency by number of clients",
              measured.kinds().stream()
                  .map(kind -> line(kind, measured.subjects().getFirst(), kind))
                  .toList()));
    }
    return measured.kinds().stream()
        .map(kind ->
            byClients(
                "mean-" + kind,
                "Mean latency of a " + kind + " by number of clients",
                measured.subjects().stream().map(subject -> line(subject, subject, kind)).toList()))
        .toList();
  }

  private LineChart asked(ChartDefinition chart) {
    var lines = new ArrayList<LineChart.Line>();
    for (String line : chart.lines()) {
      String subject = line.substring(0, line.indexOf('/'));
      String kind = line.substring(line.indexOf('/') + 1);
      lines.add(line(subject + ", " + kind, subject, kind));
    }
    return byClients(chart.name(), chart.title(), lines);
  }

  private static boolean hasLines(LineChart chart) {
    return !chart.lines().isEmpty();
  }

  private LineChart byClients(String name, String title, List<LineChart.Line> lines) {
    NavigableSet<Integer> clients = measured.clients();
    boolean wide = !clients.isEmpty() && clients.last() >= 20 * clients.first();
    return chart(name, title, wide ? "clients (logarithmic)" : "clients", wide, lines);
  }

  private LineChart byDistance(String distance) {
    var lines = new ArrayList<LineChart.Line>();
    for (int clients : measured.ends()) {
      for (String kind : measured.kinds()) {
        var slope = new Slope(measured, distance, clients, kind);
        var points = new ArrayList<LineChart.Point>();
        for (String subject : slope.subjects()) {
          List<Double> trips = Slope.roundTrips(measured, subject, distance);
          var cell = new Cell(subject, clients, kind);
          if (!trips.isEmpty() && measured.has(cell)) {
            points.add(new LineChart.Point(Estimate.ofMean(trips).value(), measured.mean(cell)));
          }
        }
        if (!points.isEmpty()) {
          lines.add(new LineChart.Line(kind + ", " + Phrases.clients(clients), points));
        }
      }
    }
    String way = distance.equals(Slope.CLIENT) ? "client and frontend" : distance;
    return chart(
        "distance-" + distance,
        "Mean latency by round trip between " + way,
        "round trip measured (ms)",
        false,
        lines);
  }

  private LineChart.Line line(String name, String subject, String kind) {
    return new LineChart.Line(
        name,
        measured.cells().stream()
            .filter(cell -> cell.subject().equals(subject) && cell.kind().equals(kind))
            .map(cell -> new LineChart.Point(cell.clients(), measured.mean(cell)))
            .toList());
  }

  private LineChart chart(
      String name, String title, String x, boolean logarithmic, List<LineChart.Line> lines) {
    List<LineChart.Line> some =
        lines.stream()
            .filter(line -> !line.points().isEmpty())
            .limit(LineChart.MOST_LINES)
            .toList();
    return new LineChart(
        measured.experiment() + "-" + name,
        title,
        described(some, x),
        x,
        "mean latency (ms)",
        logarithmic,
        some);
  }

  private static String described(List<LineChart.Line> lines, String x) {
    return lines.stream()
        .map(line ->
            line.points().stream()
                .map(point -> Numbers.brief(point.x()) + ": " + Numbers.millis(point.y()))
                .collect(Collectors.joining(", ", line.name() + ", by " + x + ": ", "")))
        .collect(Collectors.joining("; "));
  }
}
