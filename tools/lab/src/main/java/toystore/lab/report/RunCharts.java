package toystore.lab.report;

import static java.util.Comparator.comparingDouble;
import static java.util.stream.Collectors.averagingDouble;
import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.mapping;
import static java.util.stream.Collectors.toList;

import com.fasterxml.jackson.core.type.TypeReference;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
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
import toystore.lab.load.JsonFile;
import toystore.lab.report.OpenCurve.OpenPoint;
import toystore.lab.report.RunAnalysis.CallSeries;
import toystore.lab.run.BlockRow;
import toystore.lab.run.CellKey;
import toystore.lab.run.ExperimentPlan.PlannedContrast;
import toystore.lab.stats.ConfidenceInterval;
import toystore.lab.stats.ContrastVerdict;
import toystore.lab.stats.LatencyPercentiles;

/// The charts of a run. A chart has at most eight series, because it has as many colours.
///
/// @param published of this experiment
/// @param machineCores cores of the machine
record RunCharts(RunAnalysis run, PublishedLatencies published, int machineCores) {
  private static final Pattern ON_CORES = Pattern.compile("(.+)-on-(\\d+)"); // names of subjects
  private static final int MAX_SERIES = 8;
  private static final int MAX_CLIENTS = 20; // that have a point each
  private static final double MILLI = 1_000; // µs
  private static final String PLACEMENT = "local"; // of the published values that are drawn

  /// Its texts by the name of a chart; charts of one kind differ in nothing else.
  private static final Map<String, ChartTexts> TEXTS = texts();

  /// @param y empty, or the label of the vertical axis
  /// @param logarithmic whether the vertical axis is, in a chart that may have either
  private record ChartTexts(
      String title, String description, String x, String y, boolean logarithmic) {}

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
    String id = run.plan().name() + "-" + name;
    ChartTexts text = TEXTS.get(name);
    if (text == null) {
      throw new IllegalArgumentException("unknown chart " + name);
    }
    String title = text.title();
    String description = text.description();
    return switch (name) {
      case "ratios" -> {
        double margin = 1 + (run.blocks() < ContrastVerdict.BLOCKS_FOR_SMALL_MARGIN ? 0.20 : 0.10);
        yield drawn(
            run.contrasts().stream().map(this::ratio),
            rows -> new ForestPlot(id, title, description, text.x(), 1 / margin, margin, rows));
      }
      case "starts", "first" ->
          drawn(
              name.equals("starts") ? run.series().stream().map(this::starts) : firstResponses(),
              cells -> new StartsChart(id, title, description, text.x(), text.y(), cells));
      case "distributions" ->
          drawn(
              run.series().stream().flatMap(this::distributions),
              curves -> new DistributionChart(id, title, description, text.y(), curves));
      case "drift" ->
          drawn(
              run.series().stream().map(this::repetitions),
              series -> new DriftStrip(id, title, description, text.y(), series));
      case "card" ->
          drawn(
              curves(this::mean),
              series -> new Sparkline(id, run.plan().title(), description, series));
      default ->
          drawn(
              curves(name),
              series ->
                  new CurveChart(
                      id,
                      title,
                      description,
                      new AxisTitle(text.x(), false),
                      new AxisTitle(text.y(), text.logarithmic()),
                      series));
    };
  }

  private Stream<DataSeries> curves(String name) {
    return switch (name) {
      case "cores" -> byCores();
      case "open" ->
          OpenCurve.of(run).stream().flatMap(it -> Stream.of(open(it, 50), open(it, 99)));
      case "warm-up" -> run.plan().subjects().stream().map(this::warmUp);
      default -> curves(cell -> bar(run.figure(cell, RunAnalysis::callsPerSecond), 1));
    };
  }

  private Stream<StartsChart.Cells> firstResponses() {
    return run.series().stream()
        .map(this::firstResponses)
        .filter(it -> !it.starts().isEmpty())
        .sorted(comparingDouble(it -> -it.means().getLast().y().value()));
  }

  private static <T> Optional<Chart> drawn(Stream<T> data, Function<List<T>, Chart> chart) {
    return Optional.of(
            data.filter(it -> !(it instanceof DataSeries series) || !series.points().isEmpty())
                .limit(MAX_SERIES)
                .toList())
        .filter(it -> !it.isEmpty())
        .map(chart);
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
    return new ForestRow(contrast.name(), bar(run.ratio(contrast), 1), drifting, word);
  }

  private static ErrorBar bar(ConfidenceInterval figure, double unit) {
    return figure.isBounded()
        ? new ErrorBar(figure.value() / unit, figure.low() / unit, figure.high() / unit)
        : ErrorBar.of(figure.value() / unit);
  }

  private ErrorBar mean(CellKey cell) {
    return bar(run.figure(cell, CellRow::meanMicros), MILLI);
  }

  private Mark mark(CallSeries series) {
    return run.isDrifting(series.subject(), series.kind()) ? Mark.DRIFTING : Mark.MEASURED;
  }

  private Stream<DataSeries> curves(Function<CellKey, ErrorBar> value) {
    return run.series().stream().map(it -> new DataSeries(run.name(it), points(it, value)));
  }

  private List<DataPoint> points(CallSeries series, Function<CellKey, ErrorBar> value) {
    Mark mark = mark(series);
    return run.cells(series).stream()
        .map(it -> DataPoint.of(it.clients(), value.apply(it)).as(mark))
        .toList();
  }

  /// A series for each kind of call and number of clients. Cells with errors are left out.
  private Stream<DataSeries> byCores() {
    var series = new LinkedHashMap<String, List<DataPoint>>();
    for (CellKey cell : run.cells()) {
      Matcher subject = ON_CORES.matcher(cell.subject());
      if (subject.matches()
          && run.measured("closed", cell).allMatch(it -> it.cell().errors() == 0)) {
        int cores = Integer.parseInt(subject.group(2));
        ErrorBar rate = bar(run.figure(cell, RunAnalysis::callsPerSecond), 1);
        series
            .computeIfAbsent(
                String.format(
                    Locale.ROOT,
                    "%s, %s, %d clients",
                    subject.group(1),
                    cell.kind(),
                    cell.clients()),
                _ -> new ArrayList<>())
            .add(DataPoint.of(cores, rate).as(cores < machineCores ? Mark.MEASURED : Mark.SHARED));
      }
    }
    return series.entrySet().stream().map(it -> new DataSeries(it.getKey(), it.getValue()));
  }

  private StartsChart.Cells starts(CallSeries series) {
    List<DataPoint> starts =
        run.cells(series).stream()
            .flatMap(cell ->
                Stream.of(false, true)
                    .flatMap(second -> run.means(cell, second).values().stream())
                    .map(mean -> DataPoint.of(cell.clients(), mean / MILLI)))
            .toList();
    List<DataPoint> others =
        published.of(PLACEMENT, series.kind()).stream()
            .filter(it -> run.plan().clients().contains(it.clients()))
            .map(it -> DataPoint.of(it.clients(), it.value()))
            .toList();
    return new StartsChart.Cells(run.name(series), starts, points(series, this::mean), others);
  }

  private StartsChart.Cells firstResponses(CallSeries series) {
    List<CellKey> cells =
        run.cells(series).stream()
            .filter(it -> it.clients() > 1 && it.clients() <= MAX_CLIENTS)
            .filter(run::hasFirstResponses)
            .toList();
    List<DataPoint> clients =
        cells.stream()
            .flatMap(cell ->
                run.measured("closed", cell)
                    .filter(it -> it.block() == 1)
                    .flatMap(it -> it.cell().firstResponseMicros().stream())
                    .map(it -> DataPoint.of(cell.clients(), it / MILLI)))
            .toList();
    List<DataPoint> slowest =
        cells.stream()
            .map(it ->
                DataPoint.of(
                    it.clients(),
                    bar(run.figure(it, row -> row.firstResponseMicros().getLast()), MILLI)))
            .toList();
    return new StartsChart.Cells(run.name(series), clients, slowest, List.of());
  }

  /// Of the cells with the fewest and the most clients.
  private Stream<Distribution> distributions(CallSeries series) {
    List<CellKey> cells = run.cells(series);
    return Stream.of(cells.getFirst(), cells.getLast())
        .distinct()
        .filter(it -> run.latencies(it).getTotalCount() > 0)
        .map(this::distribution);
  }

  private Distribution distribution(CellKey cell) {
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
    return new Distribution(run.name(CallSeries.of(cell)) + ", " + clients, 1, points);
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

  private static List<Integer> cellOfStart(BlockRow row) {
    return List.of(row.block(), row.start(), row.cell().clients());
  }

  // an overloaded point is at the height of the point before it, since it has no latency
  private DataSeries open(OpenCurve curve, double percentile) {
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
    return new DataSeries(
        String.format(Locale.ROOT, "%s, p%.0f", run.name(curve.series()), percentile), points);
  }

  /// The mean rate of all starts in each second. A second has a row for each kind of call.
  private DataSeries warmUp(String subject) {
    Map<List<Object>, List<CellRow>> kinds =
        run.rows().stream()
            .filter(it -> it.subject().equals(subject) && it.cell().phase().equals("warm-up"))
            .collect(
                groupingBy(
                    it -> List.of(it.block(), it.start(), it.cell().kind()),
                    mapping(BlockRow::cell, toList())));
    long starts = kinds.keySet().stream().map(it -> it.subList(0, 2)).distinct().count();
    var rates = new TreeMap<Integer, Double>();
    for (List<CellRow> seconds : kinds.values()) {
      for (int i = 0; i < seconds.size(); i++) {
        rates.merge(i + 1, RunAnalysis.callsPerSecond(seconds.get(i)) / starts, Double::sum);
      }
    }
    return new DataSeries(
        subject,
        rates.entrySet().stream().map(it -> DataPoint.of(it.getKey(), it.getValue())).toList());
  }
}
