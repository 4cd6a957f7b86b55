package toystore.lab.report;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;
import org.HdrHistogram.Histogram;
import toystore.lab.load.CellRow;
import toystore.lab.run.BlockRow;
import toystore.lab.run.CellKey;
import toystore.lab.run.ExperimentPlan;
import toystore.lab.run.ExperimentPlan.PlannedContrast;
import toystore.lab.stats.BaselinePair;
import toystore.lab.stats.ConfidenceInterval;
import toystore.lab.stats.ContrastVerdict;
import toystore.lab.stats.DriftTest;
import toystore.lab.stats.VarianceComponents;

/// The figures of a run, complete or not. The unit of all intervals is the block. Latencies are
/// means in µs of the closed loop, unless stated otherwise.
///
/// @param rows of complete blocks
public record RunAnalysis(ExperimentPlan plan, List<BlockRow> rows) {
  public RunAnalysis {
    rows = List.copyOf(rows);
  }

  /// Calls of a kind: the points of a curve over the number of clients.
  public record CallSeries(String subject, String condition, String kind) {
    public CellKey cell(int clients) {
      return new CellKey(subject, condition, clients, kind);
    }
  }

  /// All series of the plan that have a measured cell.
  public List<CallSeries> series() {
    var series = new ArrayList<CallSeries>();
    for (String subject : plan.subjects()) {
      for (String condition : plan.conditions()) {
        for (String kind : plan.kinds()) {
          series.add(new CallSeries(subject, condition, kind));
        }
      }
    }
    series.removeIf(it -> cells(it).isEmpty());
    return series;
  }

  /// The measured cells of a series, by ascending number of clients.
  public List<CellKey> cells(CallSeries series) {
    return plan.clients().stream().map(series::cell).filter(this::isMeasured).toList();
  }

  /// All measured cells, in the order of the plan.
  public List<CellKey> cells() {
    return series().stream().flatMap(it -> cells(it).stream()).toList();
  }

  private boolean isMeasured(CellKey cell) {
    return rows.stream().anyMatch(closed(cell).and(it -> !it.second()));
  }

  /// The planned contrasts whose cells were measured together in at least one block.
  public List<PlannedContrast> contrasts() {
    return plan.contrasts().stream().filter(it -> !logRatios(it).isEmpty()).toList();
  }

  /// As `buy` or `buy on together, 28 ms`, with what distinguishes it from other series.
  public String name(CallSeries series) {
    return series.kind()
        + (plan.subjects().size() > 1 ? " on " + series.subject() : "")
        + (series.condition().isEmpty() ? "" : ", " + series.condition());
  }

  public boolean isComplete() {
    return blocks() >= plan.blocks();
  }

  /// The number of complete blocks.
  public int blocks() {
    return rows.stream().mapToInt(BlockRow::block).max().orElse(0);
  }

  /// The verdict of a planned contrast.
  public ContrastVerdict verdict(PlannedContrast contrast) {
    List<DriftTest> drift =
        CellKey.all(contrast).stream()
            .map(it -> drift(it.subject(), it.kind()))
            .distinct()
            .toList();
    return ContrastVerdict.of(logRatios(contrast), plan.contrasts().size(), drift);
  }

  /// The ratio of a planned contrast with its Bonferroni interval.
  public ConfidenceInterval ratio(PlannedContrast contrast) {
    return ContrastVerdict.interval(logRatios(contrast), plan.contrasts().size());
  }

  /// One value a block that has all cells: the sum of the logarithms of the cells above minus that
  /// of those below.
  List<Double> logRatios(PlannedContrast contrast) {
    var sums = new TreeMap<Integer, Double>();
    List<CellKey> of = CellKey.all(contrast.of());
    for (int block = 1; block <= blocks(); block++) {
      double sum = 0;
      for (CellKey cell : of) {
        sum += Math.log(means(cell, false).getOrDefault(block, Double.NaN));
      }
      for (CellKey cell : CellKey.all(contrast.to())) {
        sum -= Math.log(means(cell, false).getOrDefault(block, Double.NaN));
      }
      if (!Double.isNaN(sum)) {
        sums.put(block, sum);
      }
    }
    return List.copyOf(sums.values());
  }

  /// The mean latency of a cell by block: the mean of its repetitions.
  public Map<Integer, Double> means(CellKey cell, boolean second) {
    return repetitions(cell, second).entrySet().stream()
        .collect(
            Collectors.toMap(
                Map.Entry::getKey,
                it ->
                    it.getValue().stream().mapToDouble(Double::doubleValue).average().orElseThrow(),
                (a, _) -> a,
                TreeMap::new));
  }

  /// The mean latencies of a cell's repetitions, in the order of time, by block.
  private Map<Integer, List<Double>> repetitions(CellKey cell, boolean second) {
    return rows.stream()
        .filter(closed(cell).and(it -> it.second() == second))
        .sorted(Comparator.comparingInt(it -> it.cell().repetition()))
        .collect(
            Collectors.groupingBy(
                BlockRow::block,
                TreeMap::new,
                Collectors.mapping(it -> it.cell().meanMicros(), Collectors.toList())));
  }

  private static Predicate<BlockRow> closed(CellKey key) {
    return measured("closed", key);
  }

  private static Predicate<BlockRow> measured(String phase, CellKey key) {
    return it ->
        it.subject().equals(key.subject())
            && it.cell().count() > 0
            && it.cell().phase().equals(phase)
            && it.cell().condition().equals(key.condition())
            && it.cell().clients() == key.clients()
            && it.cell().kind().equals(key.kind());
  }

  /// A cell's mean latency with its interval over blocks.
  public ConfidenceInterval mean(CellKey cell) {
    return ConfidenceInterval.ofMean(means(cell, false).values(), ConfidenceInterval.LEVEL);
  }

  /// Whether calls of a kind drifted while the starts of a subject were measured.
  public DriftTest drift(String subject, String kind) {
    var starts = new ArrayList<Double>();
    for (boolean second : new boolean[] {false, true}) {
      var byBlock = new TreeMap<Integer, List<List<Double>>>();
      for (String condition : plan.conditions()) {
        for (int clients : plan.clients()) {
          repetitions(new CellKey(subject, condition, clients, kind), second)
              .forEach((block, values) ->
                  byBlock.computeIfAbsent(block, _ -> new ArrayList<>()).add(values));
        }
      }
      byBlock.values().forEach(cells -> starts.add(DriftTest.ofStart(cells)));
    }
    return DriftTest.of(starts);
  }

  /// The two starts of the baseline, a pair a block: what differs between them is noise.
  public List<BaselinePair> baselinePairs(int clients, String kind) {
    var cell = new CellKey(plan.baseline(), plan.conditions().getFirst(), clients, kind);
    Map<Integer, List<Double>> first = repetitions(cell, false);
    Map<Integer, List<Double>> second = repetitions(cell, true);
    var pairs = new ArrayList<BaselinePair>();
    first.forEach((block, values) -> {
      List<Double> others = second.getOrDefault(block, List.of());
      if (others.size() == values.size()) {
        pairs.add(new BaselinePair(values, others));
      }
    });
    return pairs;
  }

  /// The ratio of the baseline's second start to its first. A run whose interval excludes 1 in more
  /// cells than chance explains has a fault.
  public ConfidenceInterval baselineRatio(int clients, String kind) {
    return ConfidenceInterval.ofLogRatios(
        baselinePairs(clients, kind).stream().map(BaselinePair::logRatio).toList(),
        ConfidenceInterval.LEVEL);
  }

  /// The variance of the logarithm of latencies between blocks, starts and repetitions.
  public VarianceComponents variance(int clients, String kind) {
    return VarianceComponents.fit(baselinePairs(clients, kind));
  }

  /// All latencies of a cell, in µs.
  public Histogram latencies(CellKey cell) {
    var all = new Histogram(3);
    rows.stream()
        .filter(closed(cell))
        .forEach(it -> all.add(StoredHistogram.read(it.cell().histogram())));
    return all;
  }

  /// A figure of the closed loop's cell with its interval over blocks, such as CPU time a request.
  public ConfidenceInterval figure(CellKey cell, ToDoubleFunction<CellRow> figure) {
    return figure("closed", cell, figure).orElseThrow();
  }

  /// A figure of a cell in a phase with its interval over blocks.
  ///
  /// @return empty if it was not measured
  public Optional<ConfidenceInterval> figure(
      String phase, CellKey cell, ToDoubleFunction<CellRow> figure) {
    Map<Integer, Double> byBlock =
        rows.stream()
            .filter(measured(phase, cell).and(it -> !it.second()))
            .collect(
                Collectors.groupingBy(
                    BlockRow::block,
                    TreeMap::new,
                    Collectors.averagingDouble(it -> figure.applyAsDouble(it.cell()))));
    return byBlock.isEmpty()
        ? Optional.empty()
        : Optional.of(ConfidenceInterval.ofMean(byBlock.values(), ConfidenceInterval.LEVEL));
  }

  /// The latency that the load client's own loop measured ÷ that of the simulation.
  ///
  /// @return empty if it did not repeat this cell
  public Optional<ConfidenceInterval> ownRatio(CellKey cell) {
    Map<Integer, Double> simulated = means(cell, false);
    List<Double> logRatios =
        rows.stream()
            .filter(measured("own", cell).and(it -> !it.second()))
            .filter(it -> simulated.containsKey(it.block()))
            .map(it ->
                Math.log(it.cell().meanMicros() / simulated.getOrDefault(it.block(), Double.NaN)))
            .toList();
    return logRatios.isEmpty()
        ? Optional.empty()
        : Optional.of(ConfidenceInterval.ofLogRatios(logRatios, ConfidenceInterval.LEVEL));
  }

  /// The rows of a cell with sampled calls. Those of a simulation are of the own loop.
  public List<CellRow> traced(CellKey cell) {
    return rows.stream()
        .filter(closed(cell).or(measured("own", cell)))
        .map(BlockRow::cell)
        .filter(it -> it.traced() > 0)
        .toList();
  }

  /// The rows of all repetitions of a series, in all starts.
  public List<BlockRow> repetitions(CallSeries series) {
    return plan.clients().stream()
        .flatMap(clients -> rows.stream().filter(closed(series.cell(clients))))
        .toList();
  }
}
