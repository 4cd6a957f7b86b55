package toystore.lab.report;

import static java.util.stream.Collectors.averagingDouble;
import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.toList;

import com.fasterxml.jackson.core.type.TypeReference;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.HdrHistogram.Histogram;
import toystore.lab.chart.Chart;
import toystore.lab.chart.CurveChart;
import toystore.lab.chart.CurveChart.AxisTitle;
import toystore.lab.chart.DataPoint;
import toystore.lab.chart.DataPoint.Mark;
import toystore.lab.chart.DataSeries;
import toystore.lab.chart.ForestPlot;
import toystore.lab.chart.ForestPlot.ForestRow;
import toystore.lab.chart.StartsChart;
import toystore.lab.load.CellRow;
import toystore.lab.load.JsonFile;
import toystore.lab.report.OpenCurve.OpenPoint;
import toystore.lab.report.RunAnalysis.CallSeries;
import toystore.lab.run.BlockRow;
import toystore.lab.run.CellKey;
import toystore.lab.run.ExperimentPlan.PlannedContrast;
import toystore.lab.run.StoreCondition;
import toystore.lab.stats.ConfidenceInterval;
import toystore.lab.stats.ContrastVerdict;
import toystore.lab.stats.LatencyPercentiles;

/// The charts of a run. A chart has at most eight series, because it has as many colours.
///
/// @param published of this experiment
record RunCharts(RunAnalysis run, PublishedLatencies published) {
  private static final int MAX_SERIES = 8;
  private static final double MILLI = 1_000; // µs
  private static final String PLACEMENT = "local"; // of the published values that are drawn

  /// Its texts by the name of a chart; charts of one kind differ in nothing else.
  private static final Map<String, ChartTexts> TEXTS = texts();

  /// @param lines whether its points are joined
  private record ChartTexts(
      String title, String description, AxisTitle x, AxisTitle y, boolean lines) {}

  private static Map<String, ChartTexts> texts() {
    try {
      return JsonFile.MAPPER.readValue(
          ReportTemplate.resource("charts.json").text(), new TypeReference<>() {});
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /// @return empty if there is nothing to draw
  /// @throws IllegalArgumentException if there is no such chart
  Optional<Chart> chart(String name) {
    ChartTexts text = TEXTS.get(name);
    if (text == null) {
      throw new IllegalArgumentException("unknown chart " + name);
    }
    String id = run.plan().name() + "-" + name;
    if (name.equals("ratios")) {
      double margin = 1 + ContrastVerdict.margin(run.blocks());
      List<ForestRow> rows = run.contrasts().stream().map(this::ratio).toList();
      return rows.isEmpty()
          ? Optional.empty()
          : Optional.of(
              new ForestPlot(id, text.title, text.description, text.x.label(), margin, rows));
    }
    List<DataSeries> all =
        series(name).filter(it -> !it.points().isEmpty()).limit(MAX_SERIES).toList();
    if (all.isEmpty()) {
      return Optional.empty();
    }
    return Optional.of(
        name.equals("starts")
            ? new StartsChart(id, text.title, text.description, text.x.label(), text.y.label(), all)
            : new CurveChart(id, text.title, text.description, text.x, text.y, text.lines, all));
  }

  private Stream<DataSeries> series(String name) {
    return switch (name) {
      case "starts" -> run.series().stream().map(this::starts);
      case "distributions" -> run.series().stream().flatMap(this::distributions);
      case "drift" -> run.series().stream().map(this::repetitions);
      case "hits" -> run.plan().subjects().stream().map(this::hits);
      case "probability" -> probabilities();
      case "open" ->
          OpenCurve.of(run).stream().flatMap(it -> Stream.of(open(it, 50), open(it, 99)));
      default -> run.series().stream().map(this::throughput);
    };
  }

  private ForestRow ratio(PlannedContrast contrast) {
    boolean drifting =
        CellKey.all(contrast).stream().anyMatch(it -> run.isDrifting(it.subject(), it.kind()));
    ContrastVerdict verdict = run.verdict(contrast);
    String word =
        switch (verdict) {
          case ContrastVerdict.Different it ->
              it.direction() == ContrastVerdict.Direction.LONGER ? "longer" : "shorter";
          case ContrastVerdict.NoVerdict _ -> drifting ? "no verdict: drifting" : "no verdict";
          case ContrastVerdict.Equivalent _, ContrastVerdict.CannotTell _ -> verdict.text();
        };
    return new ForestRow(contrast.name(), run.ratio(contrast), drifting, word);
  }

  private Mark mark(CallSeries series) {
    return run.isDrifting(series.subject(), series.kind()) ? Mark.DRIFTING : Mark.MEASURED;
  }

  private DataSeries throughput(CallSeries series) {
    Mark mark = mark(series);
    return new DataSeries(
        run.name(series),
        run.cells(series).stream()
            .map(it -> DataPoint.of(it.clients(), run.figure(it, RunAnalysis::callsPerSecond)))
            .map(it -> it.as(mark))
            .toList());
  }

  /// The mean of each start, the mean of all with its interval, and the published values.
  private DataSeries starts(CallSeries series) {
    Mark mark = mark(series);
    var points = new ArrayList<DataPoint>();
    for (CellKey cell : run.cells(series)) {
      int x = cell.clients();
      Stream.of(false, true)
          .flatMap(second -> run.means(cell, second).values().stream())
          .forEach(it -> points.add(DataPoint.of(x, it / MILLI).as(Mark.START)));
      ConfidenceInterval mean = run.figure(cell, CellRow::meanMicros);
      points.add(DataPoint.of(x, mean.dividedBy(MILLI)).as(mark));
    }
    published.of(PLACEMENT, series.kind()).stream()
        .filter(it -> run.plan().clients().contains(it.clients()))
        .forEach(it -> points.add(DataPoint.of(it.clients(), it.millis()).as(Mark.PUBLISHED)));
    return new DataSeries(run.name(series), points);
  }

  /// Of the cells with the fewest and the most clients.
  private Stream<DataSeries> distributions(CallSeries series) {
    List<CellKey> cells = run.cells(series);
    return Stream.of(cells.getFirst(), cells.getLast()).distinct().map(this::distribution);
  }

  private DataSeries distribution(CellKey cell) {
    Histogram latencies = run.latencies(cell);
    var points = new ArrayList<DataPoint>();
    // three points between each two labelled percentiles
    for (double slowness = 1; slowness < 200_000; slowness *= Math.sqrt(Math.sqrt(10))) {
      double share = 1 - 1 / slowness;
      if (LatencyPercentiles.isStated(latencies.getTotalCount(), 100 * share)) {
        points.add(DataPoint.of(share, latencies.getValueAtPercentile(100 * share) / MILLI));
      }
    }
    String clients = cell.clients() == 1 ? "1 client" : cell.clients() + " clients";
    return new DataSeries(run.name(CallSeries.of(cell)) + ", " + clients, points);
  }

  private DataSeries repetitions(CallSeries series) {
    List<BlockRow> rows =
        run.cells(series).stream().flatMap(it -> run.measured("closed", it)).toList();
    Map<List<Integer>, Double> means =
        rows.stream()
            .collect(
                groupingBy(RunCharts::cellOfStart, averagingDouble(it -> it.cell().meanMicros())));
    Mark mark = mark(series);
    return new DataSeries(
        run.name(series),
        rows.stream()
            .map(it ->
                DataPoint.of(
                        it.cell().sinceReadySeconds(),
                        it.cell().meanMicros() / means.getOrDefault(cellOfStart(it), 1.0))
                    .as(mark))
            .toList());
  }

  /// The hit rate of the product cache in the intervals of the plan's course.
  private DataSeries hits(String subject) {
    var byInterval =
        run.rows().stream()
            .filter(it -> it.subject().equals(subject) && it.cell().phase().equals("course"))
            .filter(it -> !it.second() && RunAnalysis.hasCache(it.cell()))
            .collect(groupingBy(it -> it.cell().repetition(), TreeMap::new, toList()));
    double seconds = run.plan().course().millis() / 1e3;
    var points = new ArrayList<DataPoint>();
    byInterval.forEach((interval, rows) -> {
      var rates = RunAnalysis.byBlock(rows.stream(), it -> 100 * RunAnalysis.hitRate(it)).values();
      points.add(DataPoint.of(interval * seconds, ConfidenceInterval.ofMean(rates)));
    });
    return new DataSeries(subject, points);
  }

  /// The mean latency of a kind by the probability of a follow-up.
  private Stream<DataSeries> probabilities() {
    if (run.plan().followUp().isEmpty()) {
      return Stream.empty();
    }
    var byName = new LinkedHashMap<String, List<DataPoint>>();
    for (CellKey cell : run.cells()) {
      String condition = StoreCondition.withoutFollowUp(cell.condition());
      double percent = 100 * StoreCondition.probability(cell.condition());
      byName
          .computeIfAbsent(
              run.name(new CallSeries(cell.subject(), condition, cell.kind())),
              _ -> new ArrayList<>())
          .add(
              DataPoint.of(percent, run.figure(cell, CellRow::meanMicros).dividedBy(MILLI))
                  .as(mark(CallSeries.of(cell))));
    }
    return byName.entrySet().stream().map(it -> new DataSeries(it.getKey(), it.getValue()));
  }

  private static List<Integer> cellOfStart(BlockRow row) {
    return List.of(row.block(), row.start(), row.cell().clients());
  }

  // an overloaded point is at the height of the point before it, since it has no latency
  private DataSeries open(OpenCurve curve, int percentile) {
    var points = new ArrayList<DataPoint>();
    for (OpenPoint point : curve.points()) {
      Histogram latencies = point.latencies();
      if (point.isOverloaded() && !points.isEmpty()) {
        points.add(new DataPoint(100 * point.share(), points.getLast().y(), Mark.OVERLOADED));
      } else if (!point.isOverloaded()
          && LatencyPercentiles.isStated(latencies.getTotalCount(), percentile)) {
        double millis = latencies.getValueAtPercentile(percentile) / MILLI;
        points.add(DataPoint.of(100 * point.share(), millis));
      }
    }
    return new DataSeries(run.name(curve.series()) + ", p" + percentile, points);
  }
}
