package toystore.lab.report;

import static java.util.stream.Collectors.averagingDouble;
import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.mapping;
import static java.util.stream.Collectors.toList;

import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.ToDoubleFunction;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.HistogramLogReader;
import toystore.lab.load.CellRow;
import toystore.lab.run.BlockRow;
import toystore.lab.run.CellKey;
import toystore.lab.run.ExperimentPlan;
import toystore.lab.run.ExperimentPlan.PlannedContrast;
import toystore.lab.stats.BaselinePair;
import toystore.lab.stats.ConfidenceInterval;
import toystore.lab.stats.ContrastVerdict;
import toystore.lab.stats.DriftTest;

/// The figures of a run, complete or not. The unit of all intervals is the block. Latencies are
/// means in µs of the closed loop, unless stated otherwise.
///
/// @param rows of complete blocks
public record RunAnalysis(ExperimentPlan plan, List<BlockRow> rows) {
  public RunAnalysis {
    rows = List.copyOf(rows);
  }

  /// Calls of a kind: the points of a curve over the number of clients.
  record CallSeries(String subject, String condition, String kind) {
    static CallSeries of(CellKey cell) {
      return new CallSeries(cell.subject(), cell.condition(), cell.kind());
    }
  }

  List<CallSeries> series() {
    return cells().stream().map(CallSeries::of).distinct().toList();
  }

  /// The measured cells of a series, by ascending number of clients.
  List<CellKey> cells(CallSeries series) {
    return plan.cells(series.subject()).stream()
        .filter(it -> CallSeries.of(it).equals(series) && !means(it, false).isEmpty())
        .sorted(Comparator.comparingInt(CellKey::clients))
        .toList();
  }

  /// All measured cells, in the order of the plan.
  List<CellKey> cells() {
    return plan.subjects().stream()
        .flatMap(it -> plan.cells(it).stream())
        .map(CallSeries::of)
        .distinct()
        .flatMap(it -> cells(it).stream())
        .toList();
  }

  /// The planned contrasts whose cells were measured together in at least one block.
  List<PlannedContrast> contrasts() {
    return plan.contrasts().stream().filter(it -> !logRatios(it).isEmpty()).toList();
  }

  /// As `buy` or `buy on together, 28 ms`, with what distinguishes it from other series.
  String name(CallSeries series) {
    return series.kind()
        + (plan.subjects().size() > 1 ? " on " + series.subject() : "")
        + (series.condition().isEmpty() ? "" : ", " + series.condition());
  }

  boolean isComplete() {
    return blocks() >= plan.blocks();
  }

  public int blocks() {
    return rows.stream().mapToInt(BlockRow::block).max().orElse(0);
  }

  ContrastVerdict verdict(PlannedContrast contrast) {
    List<DriftTest> drift =
        CellKey.all(contrast).stream()
            .map(it -> drift(it.subject(), it.kind()))
            .distinct()
            .toList();
    return ContrastVerdict.of(logRatios(contrast), plan.contrasts().size(), drift);
  }

  /// The ratio of a planned contrast with its Bonferroni interval.
  ConfidenceInterval ratio(PlannedContrast contrast) {
    return ContrastVerdict.interval(logRatios(contrast), plan.contrasts().size());
  }

  /// One value a block that has all cells: the sum of the logarithms of the cells above minus that
  /// of those below.
  List<Double> logRatios(PlannedContrast contrast) {
    return IntStream.rangeClosed(1, blocks())
        .mapToObj(it ->
            logSum(contrast.of(), it, contrast.percentile())
                - logSum(contrast.to(), it, contrast.percentile()))
        .filter(it -> !Double.isNaN(it))
        .toList();
  }

  private double logSum(List<String> cells, int block, int percentile) {
    ToDoubleFunction<CellRow> micros =
        percentile == 0 ? CellRow::meanMicros : it -> percentile(it, percentile);
    return CellKey.all(cells).stream()
        .map(it -> byBlock(measured("closed", it, false), micros))
        .mapToDouble(it -> Math.log(it.getOrDefault(block, Double.NaN)))
        .sum();
  }

  /// The rows of a cell with correct responses, in all starts.
  Stream<BlockRow> measured(String phase, CellKey key) {
    return rows.stream()
        .filter(it -> it.subject().equals(key.subject()) && it.cell().count() > 0)
        .filter(it -> it.cell().phase().equals(phase) && it.cell().kind().equals(key.kind()))
        .filter(it -> it.cell().clients() == key.clients())
        .filter(it -> it.cell().condition().equals(key.condition()));
  }

  /// @param second whether those of the second starts or of the others
  private Stream<BlockRow> measured(String phase, CellKey key, boolean second) {
    return measured(phase, key).filter(it -> it.second() == second);
  }

  /// The mean latency of a cell by block: the mean of its repetitions.
  public Map<Integer, Double> means(CellKey cell, boolean second) {
    return byBlock(measured("closed", cell, second), CellRow::meanMicros);
  }

  /// The means of a figure.
  static Map<Integer, Double> byBlock(Stream<BlockRow> rows, ToDoubleFunction<CellRow> figure) {
    return rows.collect(
        groupingBy(
            BlockRow::block, TreeMap::new, averagingDouble(it -> figure.applyAsDouble(it.cell()))));
  }

  /// The mean latencies of a cell's repetitions, in the order of time, by block.
  private Map<Integer, List<Double>> repetitions(CellKey cell, boolean second) {
    return measured("closed", cell, second)
        .sorted(Comparator.comparingInt(it -> it.cell().repetition()))
        .collect(
            groupingBy(
                BlockRow::block, TreeMap::new, mapping(it -> it.cell().meanMicros(), toList())));
  }

  /// Whether calls of a kind drifted while the starts of a subject were measured.
  public DriftTest drift(String subject, String kind) {
    var starts = new ArrayList<Double>();
    for (boolean second : new boolean[] {false, true}) {
      var byBlock = new TreeMap<Integer, List<List<Double>>>();
      plan.cells(subject).stream()
          .filter(it -> it.kind().equals(kind))
          .flatMap(it -> repetitions(it, second).entrySet().stream())
          .forEach(it ->
              byBlock.computeIfAbsent(it.getKey(), _ -> new ArrayList<>()).add(it.getValue()));
      byBlock.values().forEach(cells -> starts.add(DriftTest.ofStart(cells)));
    }
    return DriftTest.of(starts);
  }

  boolean isDrifting(String subject, String kind) {
    return drift(subject, kind).result() == DriftTest.Result.DRIFTING;
  }

  /// The two starts of the baseline, a pair a block: what differs between them is noise.
  ///
  /// @return none for other subjects, and for conditions other than the first
  List<BaselinePair> baselinePairs(CellKey cell) {
    if (!cell.subject().equals(plan.baseline())
        || !cell.condition().equals(plan.conditions().getFirst())) {
      return List.of();
    }
    Map<Integer, List<Double>> second = repetitions(cell, true);
    return repetitions(cell, false).entrySet().stream()
        .filter(it -> second.getOrDefault(it.getKey(), List.of()).size() == it.getValue().size())
        .map(it -> new BaselinePair(it.getValue(), second.getOrDefault(it.getKey(), List.of())))
        .toList();
  }

  /// The ratio of the baseline's second start to its first. A run whose interval excludes 1 in more
  /// cells than chance explains has a fault.
  public ConfidenceInterval baselineRatio(CellKey cell) {
    return ConfidenceInterval.ofLogRatios(
        baselinePairs(cell).stream().map(BaselinePair::logRatio).toList());
  }

  /// The root mean square of the log ratios of two starts, as a share: 0.04 for 4 %.
  double typicalDifference(CellKey cell) {
    return Math.expm1(
        Math.sqrt(
            baselinePairs(cell).stream()
                .mapToDouble(it -> Math.pow(it.logRatio(), 2))
                .average()
                .orElse(0)));
  }

  /// All latencies of a cell, in µs.
  Histogram latencies(CellKey cell) {
    var all = new Histogram(3);
    measured("closed", cell).forEach(it -> all.add(histogram(it.cell())));
    return all;
  }

  /// The latencies of a row, which are stored as a line of HdrHistogram's log.
  ///
  /// @return an empty one if none is stored
  /// @throws IllegalArgumentException if the line has no histogram
  static Histogram histogram(CellRow row) {
    if (row.histogram().isEmpty()) {
      return new Histogram(3);
    }
    byte[] line = (row.histogram() + "\n").getBytes(StandardCharsets.UTF_8);
    try (var reader = new HistogramLogReader(new ByteArrayInputStream(line))) {
      if (reader.nextIntervalHistogram() instanceof Histogram histogram) {
        return histogram;
      }
      throw new IllegalArgumentException("expected a histogram, got " + row.histogram());
    }
  }

  static double percentile(CellRow row, double percentile) {
    return histogram(row).getValueAtPercentile(percentile);
  }

  static double callsPerSecond(CellRow row) {
    return row.count() / row.seconds();
  }

  /// Whether a product cache was asked.
  static boolean hasCache(CellRow row) {
    return row.cost().cacheHits() + row.cost().cacheMisses() > 0;
  }

  /// The share of queries that the product caches answered, 0 to 1.
  static double hitRate(CellRow row) {
    double hits = row.cost().cacheHits();
    return hits / (hits + row.cost().cacheMisses());
  }

  /// The load client's CPU time a call.
  static double clientMicros(CellRow row) {
    return row.cost().clientCpuMicros() / (double) row.count();
  }

  ConfidenceInterval figure(CellKey cell, ToDoubleFunction<CellRow> figure) {
    return figure("closed", cell, figure).orElseThrow();
  }

  /// A figure of a cell in a phase, such as CPU time a request, with its interval over blocks.
  ///
  /// @return empty if it was not measured
  Optional<ConfidenceInterval> figure(
      String phase, CellKey cell, ToDoubleFunction<CellRow> figure) {
    return Optional.of(byBlock(measured(phase, cell, false), figure).values())
        .filter(it -> !it.isEmpty())
        .map(ConfidenceInterval::ofMean);
  }
}
