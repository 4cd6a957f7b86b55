package toystore.lab.report;

import static toystore.lab.report.MarkdownTable.MISSING;
import static toystore.lab.report.MarkdownTable.number;
import static toystore.lab.report.MarkdownTable.percent;

import java.util.List;
import java.util.Locale;
import java.util.Map;
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
import toystore.lab.report.RunAnalysis.CallSeries;
import toystore.lab.run.CellKey;
import toystore.lab.run.ExperimentPlan.PlannedContrast;
import toystore.lab.stats.BaselinePair;
import toystore.lab.stats.LatencyPercentiles;
import toystore.lab.stats.VarianceComponents;

/// The tables of a run, in Markdown. A table without rows is empty.
///
/// @param published of this experiment
record RunTables(RunAnalysis run, PublishedLatencies published) {
  private static final double MILLI = 1_000; // µs

  /// @throws IllegalArgumentException if there is no such table
  String table(String name) {
    return switch (name) {
      case "contrasts" ->
          new MarkdownTable<PlannedContrast>()
              .text("contrast", PlannedContrast::name)
              .figure("ratio", it -> number(run.ratio(it)))
              .text("verdict", it -> run.verdict(it).text())
              .of(run.contrasts());
      case "cells" -> cells();
      case "failures" ->
          byCell("calls")
              .figure(
                  "failed, %",
                  it -> figure("closed", it, 0.01, row -> row.errors() / (double) row.asked()))
              .of(cells(it -> run.measured("closed", it).anyMatch(row -> row.cell().errors() > 0)));
      case "drift" ->
          byCell("calls")
              .figure("first repetition, s since ready", it -> since(it, 1))
              .figure("last, s", it -> since(it, lastRepetition(it)))
              .text(
                  "drift of all cells of this kind",
                  it -> isFirst(it) ? run.drift(it.subject(), it.kind()).text() : "")
              .of(run.cells());
      case "open" -> open();
      case "cold" -> cold();
      case "first" ->
          byCell("calls")
              .figure("median client, ms", it -> firstResponse(it, 2))
              .figure("slowest client, ms", it -> firstResponse(it, 1))
              .of(cells(it -> it.clients() > 1 && run.hasFirstResponses(it)));
      case "cpu" -> cost("CPU, µs a request", RunTables::cpu);
      case "switches" ->
          byCell("context switches a call: calls")
              .figure(
                  "machine",
                  it ->
                      figure(
                          "closed",
                          it,
                          1,
                          row -> row.cost().contextSwitches() / (double) row.count()))
              .of(
                  cells(it ->
                      run.measured("closed", it)
                          .anyMatch(row -> row.cell().cost().contextSwitches() > 0)));
      case "syncs" -> cost("syncs a request", CellCost::syncs);
      case "parts" -> parts();
      case "baseline" ->
          byCell("calls")
              .figure("first start ÷ second", it -> number(run.baselineRatio(it)))
              .figure("typical difference", it -> percent(run.typicalDifference(it)))
              .figure("standard deviation: blocks", it -> deviation(it, VarianceComponents::block))
              .figure("starts", it -> deviation(it, VarianceComponents::start))
              .figure("repetitions", it -> deviation(it, VarianceComponents::repetition))
              .figure("calls", it -> variation(run.latencies(it)))
              .of(cells(it -> !run.baselinePairs(it).isEmpty()));
      case "published" -> publishedRatios();
      case "null" -> nullServer();
      default -> throw new IllegalArgumentException("unknown table " + name);
    };
  }

  private MarkdownTable<CellKey> byCell(String header) {
    return new MarkdownTable<CellKey>()
        .text(header, it -> run.name(CallSeries.of(it)))
        .count("clients", CellKey::clients);
  }

  private List<CellKey> cells(Predicate<CellKey> wanted) {
    return run.cells().stream().filter(wanted).toList();
  }

  /// @param unit by which the figure is divided
  private String figure(String phase, CellKey cell, double unit, ToDoubleFunction<CellRow> figure) {
    return run.figure(phase, cell, figure).map(it -> number(it, unit)).orElse(MISSING);
  }

  private String cells() {
    var table =
        byCell("calls").figure("mean, ms", it -> figure("closed", it, MILLI, CellRow::meanMicros));
    for (String percentile : List.of("50", "90", "99", "99.9")) {
      table.figure(
          String.format(Locale.ROOT, "p%s, ms", percentile),
          it -> at(percentile, run.latencies(it)));
    }
    return table
        .figure("calls a second", it -> figure("closed", it, 1, RunAnalysis::callsPerSecond))
        .of(run.cells());
  }

  private static String at(String percentile, Histogram latencies) {
    double share = Double.parseDouble(percentile);
    return LatencyPercentiles.isStated(latencies.getTotalCount(), share)
        ? number(latencies.getValueAtPercentile(share) / MILLI)
        : MISSING;
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
    return String.format(Locale.ROOT, "%.0f to %.0f", seconds.getMin(), seconds.getMax());
  }

  private String open() {
    var table =
        new MarkdownTable<OpenPoint>()
            .text("calls", it -> run.name(it.series()))
            .figure("share of the highest rate", it -> percent(it.share()))
            .figure("asked a second", it -> it.isVoid() ? MISSING : number(it.asked()))
            .figure("completed a second", it -> it.isVoid() ? MISSING : number(it.completed()));
    for (String percentile : List.of("50", "90", "99")) {
      table.figure(String.format(Locale.ROOT, "p%s, ms", percentile), it -> at(percentile, it));
    }
    return table
        .count("windows: overloaded", OpenPoint::overloaded)
        .count("void", OpenPoint::voided)
        .count("all", OpenPoint::windows)
        .of(OpenCurve.of(run).stream().flatMap(it -> it.points().stream()).toList());
  }

  private static String at(String percentile, OpenPoint point) {
    return point.isVoid()
        ? "void"
        : point.isOverloaded() ? "overloaded" : at(percentile, point.latencies());
  }

  private String cold() {
    var table =
        byCell("calls")
            .figure("mean, ms", it -> figure("cold", it, MILLI, CellRow::meanMicros))
            .figure(
                "total time ÷ calls, ms", it -> figure("cold", it, MILLI, RunTables::totalShare));
    table
        .figure("calls a second", it -> figure("cold", it, 1, RunAnalysis::callsPerSecond))
        .figure(
            "clients ÷ mean, a second",
            it -> figure("cold", it, 1, row -> row.clients() * 1e6 / row.meanMicros()));
    for (String placement : published.placements()) {
      table.figure(
          String.format(Locale.ROOT, "published, %s, ms", placement),
          it -> published(placement, it.kind(), it.clients(), 1));
    }
    return table.of(
        run.plan().subjects().stream()
            .flatMap(subject -> run.plan().kinds().stream().flatMap(it -> cold(subject, it)))
            .toList());
  }

  /// How long a client waited for its first response: the mean over blocks, which are too skewed
  /// for an interval.
  ///
  /// @param divisor 1: the slowest client; 2: the median one
  private String firstResponse(CellKey cell, int divisor) {
    ToDoubleFunction<CellRow> wait =
        row -> {
          List<Long> waits = row.firstResponseMicros();
          return waits.isEmpty() ? 0 : waits.get((waits.size() - 1) / divisor);
        };
    return number(run.figure(cell, wait).value() / MILLI);
  }

  private static double totalShare(CellRow row) {
    return row.seconds() * 1e6 * row.clients() / row.count();
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
        .map(it -> (it.isRounded() ? "about " : "") + number(it.value() / unit))
        .findFirst()
        .orElse(MISSING);
  }

  /// Published means with the ratio of the plan's last kind to its first, in the same placement.
  private String publishedRatios() {
    String first = run.plan().kinds().getFirst();
    String last = run.plan().kinds().getLast();
    var table =
        new MarkdownTable<PublishedRow>()
            .text("published, other machines", PublishedRow::placement)
            .count("clients", PublishedRow::clients);
    for (String kind : run.plan().kinds()) {
      table.figure(kind + ", ms", it -> published(it.placement(), kind, it.clients(), 1));
    }
    return table
        .figure(
            String.format(Locale.ROOT, "%s ÷ %s", last, first),
            it -> published(it.placement(), last, it.clients(), it.value()))
        .of(
            published.placements().stream()
                .flatMap(it -> published.of(it, first).stream())
                .toList());
  }

  private static Map<String, Long> cpu(CellCost cost) {
    var all = new TreeMap<>(cost.cpuMicros());
    if (cost.clientCpuMicros() > 0) {
      all.put("load client", cost.clientCpuMicros());
    }
    return all;
  }

  private String cost(String what, Function<CellCost, Map<String, Long>> cost) {
    var services = new TreeSet<String>();
    run.rows().stream()
        .filter(it -> it.cell().phase().equals("closed"))
        .forEach(it -> services.addAll(cost.apply(it.cell().cost()).keySet()));
    var table = byCell(what + ": calls");
    for (String service : services) {
      ToDoubleFunction<CellRow> aCall =
          it -> cost.apply(it.cost()).getOrDefault(service, 0L) / (double) it.count();
      table.figure(
          service, it -> isKnown(it, service, cost) ? figure("closed", it, 1, aCall) : MISSING);
    }
    return services.isEmpty() ? "" : table.of(run.cells());
  }

  private boolean isKnown(
      CellKey cell, String service, Function<CellCost, Map<String, Long>> cost) {
    return run.measured("closed", cell)
        .anyMatch(it -> cost.apply(it.cell().cost()).containsKey(service));
  }

  private String parts() {
    var names = new TreeSet<String>();
    run.rows().forEach(it -> names.addAll(it.cell().parts().keySet()));
    names.remove("total");
    var table =
        byCell("calls")
            .figure("sampled calls", it -> String.format(Locale.ROOT, "%,d", sampled(it)))
            .figure("total, ms", it -> part(it, "total"));
    for (String name : names) {
      table.figure(name + ", ms", it -> part(it, name));
    }
    return table.of(cells(it -> !run.traced(it).isEmpty()));
  }

  private long sampled(CellKey cell) {
    return run.traced(cell).stream().mapToLong(CellRow::traced).sum();
  }

  private String part(CellKey cell, String part) {
    double micros =
        run.traced(cell).stream()
            .mapToDouble(it -> it.parts().getOrDefault(part, 0.0) * it.traced())
            .sum();
    return micros == 0 ? MISSING : number(micros / sampled(cell) / MILLI);
  }

  private String deviation(CellKey cell, ToDoubleFunction<VarianceComponents> variance) {
    List<BaselinePair> pairs = run.baselinePairs(cell);
    int repetitions = pairs.getFirst().first().size();
    return pairs.size() < 2
            || repetitions < 2
            || pairs.stream().anyMatch(it -> it.first().size() != repetitions)
        ? MISSING
        : percent(Math.expm1(Math.sqrt(variance.applyAsDouble(VarianceComponents.fit(pairs)))));
  }

  private static String variation(Histogram latencies) {
    return latencies.getTotalCount() == 0
        ? MISSING
        : percent(latencies.getStdDeviation() / latencies.getMean());
  }

  private String nullServer() {
    return new MarkdownTable<CellKey>()
        .count("clients", CellKey::clients)
        .figure("mean, ms", it -> figure("null", it, MILLI, CellRow::meanMicros))
        .figure("calls a second", it -> figure("null", it, 1, RunAnalysis::callsPerSecond))
        .figure(
            "load client's CPU, µs a call", it -> figure("null", it, 1, RunAnalysis::clientMicros))
        .of(
            run.plan().clients().stream()
                .map(it -> new CellKey(run.plan().baseline(), "", it, "null"))
                .filter(it -> run.figure("null", it, CellRow::meanMicros).isPresent())
                .toList());
  }
}
