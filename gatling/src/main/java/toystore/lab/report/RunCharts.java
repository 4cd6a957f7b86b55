package toystore.lab.report;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.BiFunction;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.HdrHistogram.Histogram;
import toystore.lab.chart.Chart;
import toystore.lab.chart.CurveChart;
import toystore.lab.chart.CurveChart.AxisTitle;
import toystore.lab.chart.DataPoint;
import toystore.lab.chart.DataPoint.Mark;
import toystore.lab.chart.DataSeries;
import toystore.lab.chart.DistributionChart;
import toystore.lab.chart.DistributionChart.Distribution;
import toystore.lab.chart.DriftStrip;
import toystore.lab.chart.ErrorBar;
import toystore.lab.chart.ForestPlot;
import toystore.lab.chart.ForestPlot.ForestRow;
import toystore.lab.chart.Sparkline;
import toystore.lab.chart.StartsChart;
import toystore.lab.load.CellRow;
import toystore.lab.report.OpenCurve.OpenPoint;
import toystore.lab.report.RunAnalysis.CallSeries;
import toystore.lab.run.BlockRow;
import toystore.lab.run.CellKey;
import toystore.lab.run.ExperimentPlan.PlannedContrast;
import toystore.lab.stats.ConfidenceInterval;
import toystore.lab.stats.ContrastVerdict;
import toystore.lab.stats.DriftTest;
import toystore.lab.stats.LatencyPercentiles;

/// The charts of a run. A chart has at most eight series, because it has as many colours.
///
/// @param published of this experiment
record RunCharts(RunAnalysis run, PublishedLatencies published) {
  private static final int MAX_SERIES = 8;
  private static final double MILLI = 1_000; // µs
  private static final String MEAN = "mean latency, ms (logarithmic)";
  private static final String PLACEMENT = "local"; // of the published values that are drawn

  /// @return empty if there is nothing to draw
  /// @throws IllegalArgumentException if there is no such chart
  Optional<Chart> chart(String name) {
    String id = run.plan().name() + "-" + name;
    return switch (name) {
      case "ratios" -> drawn(run.contrasts(), _ -> ratios(id));
      case "starts" -> drawn(series(), series -> starts(id, series));
      case "distributions" -> drawn(distributions(), it -> distributions(id, it));
      case "drift" -> drawn(series(), series -> drift(id, series));
      case "throughput" -> drawn(series(), series -> throughput(id, series));
      case "open" -> drawn(openSeries(), series -> open(id, series));
      case "warm-up" -> drawn(warmUpSeries(), series -> warmUp(id, series));
      case "card" -> drawn(series(), series -> card(id, series));
      default -> throw new IllegalArgumentException("unknown chart " + name);
    };
  }

  private static <T> Optional<Chart> drawn(
      List<T> data, java.util.function.Function<List<T>, Chart> draw) {
    return data.isEmpty()
        ? Optional.empty()
        : Optional.of(draw.apply(data.subList(0, Math.min(MAX_SERIES, data.size()))));
  }

  private List<CallSeries> series() {
    return run.series();
  }

  private Chart ratios(String id) {
    double margin = run.blocks() < ContrastVerdict.BLOCKS_FOR_SMALL_MARGIN ? 0.20 : 0.10;
    return new ForestPlot(
        id,
        "Ratios of mean latencies",
        "Ratios of mean latencies with Bonferroni intervals over blocks, and their verdicts.",
        "ratio of mean latencies (logarithmic)",
        1 / (1 + margin),
        1 + margin,
        run.contrasts().stream().map(this::ratio).toList());
  }

  private ForestRow ratio(PlannedContrast contrast) {
    boolean drifting =
        CellKey.all(contrast).stream().anyMatch(it -> isDrifting(it.subject(), it.kind()));
    return new ForestRow(
        contrast.name(),
        bar(run.ratio(contrast), 1),
        drifting,
        word(run.verdict(contrast), drifting));
  }

  private static String word(ContrastVerdict verdict, boolean drifting) {
    return switch (verdict) {
      case ContrastVerdict.Different it ->
          it.direction() == ContrastVerdict.Direction.LONGER ? "longer" : "shorter";
      case ContrastVerdict.NoVerdict _ -> drifting ? "no verdict: drifting" : "no verdict";
      case ContrastVerdict.Equivalent _, ContrastVerdict.CannotTell _ -> verdict.text();
    };
  }

  private boolean isDrifting(String subject, String kind) {
    return run.drift(subject, kind).result() == DriftTest.Result.DRIFTING;
  }

  private Mark mark(CallSeries series) {
    return isDrifting(series.subject(), series.kind()) ? Mark.DRIFTING : Mark.MEASURED;
  }

  private static ErrorBar bar(ConfidenceInterval figure, double unit) {
    return figure.isBounded()
        ? new ErrorBar(figure.value() / unit, figure.low() / unit, figure.high() / unit)
        : ErrorBar.of(figure.value() / unit);
  }

  private Chart starts(String id, List<CallSeries> series) {
    return new StartsChart(
        id,
        "Every start, and the mean over blocks",
        "Mean latency of every start by number of clients, with the mean and its 95 % interval.",
        "clients",
        MEAN,
        series.stream()
            .map(it ->
                new StartsChart.Cells(run.name(it), starts(it), means(it), published(it.kind())))
            .toList());
  }

  private List<DataPoint> starts(CallSeries series) {
    return run.cells(series).stream()
        .flatMap(cell ->
            Stream.of(false, true)
                .flatMap(second -> run.means(cell, second).values().stream())
                .map(mean -> DataPoint.of(cell.clients(), mean / MILLI)))
        .toList();
  }

  private List<DataPoint> means(CallSeries series) {
    return points(series, (_, cell) -> bar(run.mean(cell), MILLI));
  }

  private List<DataPoint> points(
      CallSeries series, BiFunction<CallSeries, CellKey, ErrorBar> value) {
    return run.cells(series).stream()
        .map(cell -> DataPoint.of(cell.clients(), value.apply(series, cell)).as(mark(series)))
        .toList();
  }

  private List<DataPoint> published(String kind) {
    return published.of(PLACEMENT, kind).stream()
        .filter(it -> run.plan().clients().contains(it.clients()))
        .map(it -> DataPoint.of(it.clients(), it.millis()))
        .toList();
  }

  /// Of each series the cells with the fewest and the most clients.
  private List<Distribution> distributions() {
    return series().stream()
        .flatMap(series -> {
          List<CellKey> cells = run.cells(series);
          return Stream.of(cells.getFirst(), cells.getLast())
              .distinct()
              .map(cell -> distribution(series, cell));
        })
        .toList();
  }

  private Distribution distribution(CallSeries series, CellKey cell) {
    Histogram latencies = run.latencies(cell);
    var points = new ArrayList<DataPoint>();
    // three points between each two labelled percentiles
    for (double slowness = 1; slowness < 200_000; slowness *= Math.sqrt(Math.sqrt(10))) {
      double share = 1 - 1 / slowness;
      if (LatencyPercentiles.isStated(latencies.getTotalCount(), 100 * share)) {
        points.add(DataPoint.of(share, latencies.getValueAtPercentile(100 * share) / MILLI));
      }
    }
    return new Distribution(
        "%s, %d client%s"
            .formatted(run.name(series), cell.clients(), cell.clients() == 1 ? "" : "s"),
        1,
        points);
  }

  private static Chart distributions(String id, List<Distribution> distributions) {
    return new DistributionChart(
        id,
        "How long a call takes",
        "Latency by percentile, all calls of all starts.",
        "latency, ms (logarithmic)",
        distributions);
  }

  private Chart drift(String id, List<CallSeries> series) {
    return new DriftStrip(
        id,
        "Latency during the starts",
        "Mean latency of every repetition ÷ the mean of its cell in that start, by seconds since ready.",
        "mean latency ÷ mean of the same cell in this start (logarithmic)",
        series.stream().map(it -> new DataSeries(run.name(it), repetitions(it))).toList());
  }

  private List<DataPoint> repetitions(CallSeries series) {
    List<BlockRow> rows = run.repetitions(series);
    Map<List<Integer>, Double> means =
        rows.stream()
            .collect(
                Collectors.groupingBy(
                    RunCharts::cellOfStart,
                    Collectors.averagingDouble(it -> it.cell().meanMicros())));
    return rows.stream()
        .map(it ->
            DataPoint.of(
                    it.cell().sinceReadySeconds(),
                    it.cell().meanMicros() / means.getOrDefault(cellOfStart(it), 1.0))
                .as(mark(series)))
        .toList();
  }

  private static List<Integer> cellOfStart(BlockRow row) {
    return List.of(row.block(), row.start(), row.cell().clients());
  }

  private Chart throughput(String id, List<CallSeries> series) {
    return new CurveChart(
        id,
        "Throughput by number of clients",
        "Correct responses per second in the closed loop.",
        new AxisTitle("clients", false),
        new AxisTitle("calls a second", false),
        curves(series, (_, cell) -> bar(run.figure(cell, row -> row.count() / row.seconds()), 1)));
  }

  private List<DataSeries> curves(
      List<CallSeries> series, BiFunction<CallSeries, CellKey, ErrorBar> value) {
    return series.stream().map(it -> new DataSeries(run.name(it), points(it, value))).toList();
  }

  private List<DataSeries> openSeries() {
    return OpenCurve.of(run).stream()
        .flatMap(curve -> Stream.of(50.0, 99.0).map(percentile -> open(curve, percentile)))
        .filter(it -> !it.points().isEmpty())
        .toList();
  }

  // an overloaded point is at the height of the point before it, since it has no latency
  private DataSeries open(OpenCurve curve, double percentile) {
    var points = new ArrayList<DataPoint>();
    for (OpenPoint point : curve.points()) {
      SortedMap<Double, Long> stated = LatencyPercentiles.of(point.latencies());
      if (point.isOverloaded() && !points.isEmpty()) {
        points.add(new DataPoint(100 * point.share(), points.getLast().y(), Mark.OVERLOADED));
      } else if (!point.isOverloaded() && stated.containsKey(percentile)) {
        points.add(DataPoint.of(100 * point.share(), stated.getOrDefault(percentile, 0L) / MILLI));
      }
    }
    return new DataSeries("%s, p%.0f".formatted(run.name(curve.series()), percentile), points);
  }

  private static Chart open(String id, List<DataSeries> series) {
    return new CurveChart(
        id,
        "Latency by rate, open loop",
        "Percentiles of latency from the intended start, by share of the highest rate of the closed loop.",
        new AxisTitle("rate, % of the closed loop's highest", false),
        new AxisTitle("latency, ms (logarithmic)", true),
        series);
  }

  private List<DataSeries> warmUpSeries() {
    return run.plan().subjects().stream()
        .map(it -> new DataSeries(it, warmUp(it)))
        .filter(it -> !it.points().isEmpty())
        .toList();
  }

  /// The mean rate of all starts in each second. A second has a row for each kind of call.
  private List<DataPoint> warmUp(String subject) {
    Map<List<Object>, List<CellRow>> kinds =
        run.rows().stream()
            .filter(it -> it.subject().equals(subject) && it.cell().phase().equals("warm-up"))
            .collect(
                Collectors.groupingBy(
                    it -> List.of(it.block(), it.start(), it.cell().kind()),
                    Collectors.mapping(BlockRow::cell, Collectors.toList())));
    long starts = kinds.keySet().stream().map(it -> it.subList(0, 2)).distinct().count();
    var rates = new TreeMap<Integer, Double>();
    for (List<CellRow> seconds : kinds.values()) {
      for (int i = 0; i < seconds.size(); i++) {
        double rate = seconds.get(i).count() / seconds.get(i).seconds();
        rates.merge(i + 1, rate / starts, Double::sum);
      }
    }
    return rates.entrySet().stream().map(it -> DataPoint.of(it.getKey(), it.getValue())).toList();
  }

  private static Chart warmUp(String id, List<DataSeries> series) {
    return new CurveChart(
        id,
        "Rate during the warm-up",
        "Calls per second in each second of the warm-up, the mean of all starts.",
        new AxisTitle("second of the warm-up", false),
        new AxisTitle("calls a second", false),
        series);
  }

  private Chart card(String id, List<CallSeries> series) {
    return new Sparkline(
        id,
        run.plan().title(),
        "Mean latency in ms by number of clients.",
        curves(series, (_, cell) -> bar(run.mean(cell), MILLI)));
  }
}
