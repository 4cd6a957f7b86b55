package toystore.lab.report;

import static java.util.Map.entry;
import static toystore.common.RootLocale.format;
import static toystore.lab.report.MarkdownTable.MISSING;
import static toystore.lab.report.MarkdownTable.number;
import static toystore.lab.report.MarkdownTable.percent;

import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.ToDoubleFunction;
import java.util.stream.Stream;
import org.HdrHistogram.Histogram;
import toystore.lab.load.CellCost;
import toystore.lab.load.CellRow;
import toystore.lab.report.OpenCurve.OpenPoint;
import toystore.lab.report.PublishedLatencies.PublishedLatency;
import toystore.lab.report.RunAnalysis.CallSeries;
import toystore.lab.run.CellKey;
import toystore.lab.run.ExperimentPlan.PlannedContrast;
import toystore.lab.stats.LatencyPercentiles;
import toystore.lab.stats.VarianceComponents;

/// The tables of a run, in Markdown. A table without rows is empty.
///
/// @param published of this experiment
record RunTables(RunAnalysis run, PublishedLatencies published) {
  private static final double MILLI = 1_000; // µs

  private static final Map<String, Function<RunTables, String>> TABLES =
      Map.ofEntries(
          entry("contrasts", RunTables::contrasts),
          entry("cells", RunTables::cells),
          entry("failures", RunTables::failures),
          entry("drift", RunTables::drift),
          entry("open", RunTables::open),
          entry("cold", RunTables::cold),
          entry("first", RunTables::firstResponses),
          entry("cpu", it -> it.cost("CPU, µs a request", RunTables::cpu)),
          entry("switches", it -> it.cost("context switches a call", RunTables::switches)),
          entry("syncs", it -> it.cost("syncs a request", CellCost::syncs)),
          entry("hits", RunTables::hits),
          entry("times", it -> it.cost("time, µs a request", CellCost::timeMicros)),
          entry("baseline", RunTables::baseline),
          entry("published", RunTables::publishedRatios),
          entry("null", RunTables::nullServer));

  /// Figures of a cell, of which a table has the mean with its interval, by the header of their
  /// column.
  private static final Map<String, ToDoubleFunction<CellRow>> FIGURES =
      Map.of(
          "mean, ms", it -> it.meanMicros() / MILLI,
          "calls a second", RunAnalysis::callsPerSecond,
          "hit rate, %", it -> 100 * RunAnalysis.hitRate(it),
          "failed, %", it -> 100.0 * it.errors() / it.asked(),
          "total time ÷ calls, ms", it -> it.seconds() * 1e3 * it.clients() / it.count(),
          "clients ÷ mean, a second", it -> it.clients() * 1e6 / it.meanMicros(),
          "load client's CPU, µs a call", RunAnalysis::clientMicros);

  /// @throws IllegalArgumentException if there is no such table
  String table(String name) {
    Function<RunTables, String> table = TABLES.get(name);
    if (table == null) {
      throw new IllegalArgumentException("unknown table " + name);
    }
    return table.apply(this);
  }

  private String contrasts() {
    return new MarkdownTable<PlannedContrast>()
        .text("contrast", PlannedContrast::name)
        .figure("ratio", it -> number(run.ratio(it)))
        .text("verdict", it -> run.verdict(it).text())
        .of(run.contrasts());
  }

  private MarkdownTable<CellKey> byCell(String header) {
    return new MarkdownTable<CellKey>()
        .text(header, it -> run.name(CallSeries.of(it)))
        .count("clients", CellKey::clients);
  }

  private List<CellKey> cells(Predicate<CellKey> wanted) {
    return run.cells().stream().filter(wanted).toList();
  }

  private String figure(String phase, CellKey cell, ToDoubleFunction<CellRow> figure) {
    return run.figure(phase, cell, figure).map(MarkdownTable::number).orElse(MISSING);
  }

  /// Adds columns of [#FIGURES].
  private MarkdownTable<CellKey> add(
      MarkdownTable<CellKey> table, String phase, String... headers) {
    for (String header : headers) {
      var figure = Objects.requireNonNull(FIGURES.get(header));
      table.figure(header, it -> figure(phase, it, figure));
    }
    return table;
  }

  private String cells() {
    var table = add(byCell("calls"), "closed", "mean, ms");
    for (String percentile : List.of("50", "90", "99", "99.9")) {
      table.figure("p" + percentile + ", ms", it -> at(percentile, run.latencies(it)));
    }
    return add(table, "closed", "calls a second").of(run.cells());
  }

  private static String at(String percentile, Histogram latencies) {
    double share = Double.parseDouble(percentile);
    return LatencyPercentiles.isStated(latencies.getTotalCount(), share)
        ? number(latencies.getValueAtPercentile(share) / MILLI)
        : MISSING;
  }

  private String failures() {
    return add(byCell("calls"), "closed", "failed, %")
        .of(cells(it -> run.measured("closed", it).anyMatch(row -> row.cell().errors() > 0)));
  }

  private String hits() {
    return add(byCell("calls"), "closed", "hit rate, %", "mean, ms")
        .of(
            cells(it ->
                run.measured("closed", it).anyMatch(row -> RunAnalysis.hasCache(row.cell()))));
  }

  private String drift() {
    return byCell("calls")
        .figure("first repetition, s since ready", it -> since(it, 1))
        .figure("last, s", it -> since(it, lastRepetition(it)))
        .text(
            "drift of all cells of this kind",
            it -> isFirst(it) ? run.drift(it.subject(), it.kind()).text() : "")
        .of(run.cells());
  }

  private boolean isFirst(CellKey cell) {
    return run.cells(CallSeries.of(cell)).getFirst().equals(cell);
  }

  private int lastRepetition(CellKey cell) {
    return run.measured("closed", cell).mapToInt(it -> it.cell().repetition()).max().orElse(1);
  }

  private String since(CellKey cell, int repetition) {
    var seconds =
        run.measured("closed", cell)
            .filter(it -> it.cell().repetition() == repetition)
            .mapToDouble(it -> it.cell().sinceReadySeconds())
            .summaryStatistics();
    return format("%.0f to %.0f", seconds.getMin(), seconds.getMax());
  }

  private String open() {
    var table =
        new MarkdownTable<OpenPoint>()
            .text("calls", it -> run.name(it.series()))
            .figure("share of the highest rate", it -> percent(it.share()))
            .figure("asked a second", it -> it.isVoid() ? MISSING : number(it.asked()))
            .figure("completed a second", it -> it.isVoid() ? MISSING : number(it.completed()));
    for (String percentile : List.of("50", "90", "99")) {
      table.figure("p" + percentile + ", ms", it -> at(percentile, it));
    }
    return table
        .count("windows: overloaded", OpenPoint::overloaded)
        .count("void", it -> it.windows().size() - it.used().size())
        .count("all", it -> it.windows().size())
        .of(OpenCurve.of(run).stream().flatMap(it -> it.points().stream()).toList());
  }

  private static String at(String percentile, OpenPoint point) {
    if (point.isVoid()) {
      return "void";
    }
    return point.isOverloaded() ? "overloaded" : at(percentile, point.latencies());
  }

  private String cold() {
    var table =
        add(
            byCell("calls"),
            "cold",
            "mean, ms",
            "total time ÷ calls, ms",
            "calls a second",
            "clients ÷ mean, a second");
    for (String placement : published.placements()) {
      table.figure(
          "published, " + placement + ", ms",
          it -> published(placement, it.kind(), it.clients(), 1));
    }
    return table.of(
        run.plan().subjects().stream()
            .flatMap(subject -> run.plan().kinds().stream().flatMap(it -> cold(subject, it)))
            .toList());
  }

  private String firstResponses() {
    return byCell("calls")
        .figure("median client, ms", it -> firstResponse(it, 2))
        .figure("slowest client, ms", it -> firstResponse(it, 1))
        .of(
            cells(it ->
                it.clients() > 1
                    && run.measured("closed", it)
                        .noneMatch(row -> row.cell().firstResponseMicros().isEmpty())));
  }

  /// How long a client waited for its first response: the mean over blocks, which are too skewed
  /// for an interval.
  ///
  /// @param divisor 1: the slowest client; 2: the median one
  private String firstResponse(CellKey cell, int divisor) {
    ToDoubleFunction<CellRow> wait =
        row -> row.firstResponseMicros().get((row.firstResponseMicros().size() - 1) / divisor);
    return number(run.figure(cell, wait).value() / MILLI);
  }

  private Stream<CellKey> cold(String subject, String kind) {
    return run.plan().coldPass().stream()
        .filter(it -> it.kind().equals(kind))
        .map(it -> new CellKey(subject, "", it.clients(), kind))
        .distinct()
        .filter(it -> run.figure("cold", it, CellRow::meanMicros).isPresent());
  }

  /// @param unit ms by which the published mean is divided
  private String published(String placement, String kind, int clients, double unit) {
    return published.of(placement, kind).stream()
        .filter(it -> it.clients() == clients)
        .map(it -> (it.rounded() ? "about " : "") + number(it.millis() / unit))
        .findFirst()
        .orElse(MISSING);
  }

  /// Published means with the ratio of the plan's last kind to its first, in the same placement.
  private String publishedRatios() {
    String first = run.plan().kinds().getFirst();
    String last = run.plan().kinds().getLast();
    var table =
        new MarkdownTable<PublishedLatency>()
            .text("published, other machines", PublishedLatency::placement)
            .count("clients", PublishedLatency::clients);
    for (String kind : run.plan().kinds()) {
      table.figure(kind + ", ms", it -> published(it.placement(), kind, it.clients(), 1));
    }
    return table
        .figure(
            last + " ÷ " + first, it -> published(it.placement(), last, it.clients(), it.millis()))
        .of(
            published.placements().stream()
                .flatMap(it -> published.of(it, first).stream())
                .toList());
  }

  static Map<String, Long> cpu(CellCost cost) {
    var all = new TreeMap<>(cost.cpuMicros());
    if (cost.clientCpuMicros() > 0) {
      all.put("load client", cost.clientCpuMicros());
    }
    return all;
  }

  private static Map<String, Long> switches(CellCost cost) {
    return cost.contextSwitches() == 0 ? Map.of() : Map.of("machine", cost.contextSwitches());
  }

  private String cost(String what, Function<CellCost, Map<String, Long>> cost) {
    var payers = new TreeSet<String>();
    run.rows().stream()
        .filter(it -> it.cell().phase().equals("closed"))
        .forEach(it -> payers.addAll(cost.apply(it.cell().cost()).keySet()));
    var table = byCell(what + ": calls");
    for (String payer : payers) {
      ToDoubleFunction<CellRow> ofCall =
          it -> cost.apply(it.cost()).getOrDefault(payer, 0L) / (double) it.count();
      table.figure(
          payer,
          it -> run.figure(it, ofCall).value() == 0 ? MISSING : figure("closed", it, ofCall));
    }
    return payers.isEmpty() ? "" : table.of(run.cells());
  }

  private String baseline() {
    return byCell("calls")
        .figure("first start ÷ second", it -> number(run.baselineRatio(it)))
        .figure("typical difference", it -> percent(run.typicalDifference(it)))
        .figure("standard deviation: blocks", it -> deviation(it, VarianceComponents::block))
        .figure("starts", it -> deviation(it, VarianceComponents::start))
        .figure("repetitions", it -> deviation(it, VarianceComponents::repetition))
        .figure("calls", it -> variation(run.latencies(it)))
        .of(cells(it -> !run.baselinePairs(it).isEmpty()));
  }

  private String deviation(CellKey cell, ToDoubleFunction<VarianceComponents> variance) {
    return VarianceComponents.fit(run.baselinePairs(cell))
        .map(it -> percent(Math.expm1(Math.sqrt(variance.applyAsDouble(it)))))
        .orElse(MISSING);
  }

  private static String variation(Histogram latencies) {
    return latencies.getTotalCount() == 0
        ? MISSING
        : percent(latencies.getStdDeviation() / latencies.getMean());
  }

  private String nullServer() {
    var table = new MarkdownTable<CellKey>().count("clients", CellKey::clients);
    return add(table, "null", "mean, ms", "calls a second", "load client's CPU, µs a call")
        .of(
            run.plan().clients().stream()
                .map(it -> new CellKey(run.plan().baseline(), "", it, "null"))
                .filter(it -> run.figure("null", it, CellRow::meanMicros).isPresent())
                .toList());
  }
}
