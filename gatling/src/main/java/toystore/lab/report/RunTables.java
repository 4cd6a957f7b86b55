package toystore.lab.report;

import static toystore.lab.report.MarkdownTable.MISSING;
import static toystore.lab.report.MarkdownTable.number;
import static toystore.lab.report.MarkdownTable.percent;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import java.util.stream.DoubleStream;
import java.util.stream.Stream;
import org.HdrHistogram.Histogram;
import toystore.lab.load.CellCost;
import toystore.lab.load.CellRow;
import toystore.lab.report.OpenCurve.OpenPoint;
import toystore.lab.report.PublishedLatencies.PublishedLatency;
import toystore.lab.report.RunAnalysis.CallSeries;
import toystore.lab.run.BlockRow;
import toystore.lab.run.CellKey;
import toystore.lab.run.ExperimentPlan.PlannedContrast;
import toystore.lab.stats.BaselinePair;
import toystore.lab.stats.ConfidenceInterval;
import toystore.lab.stats.LatencyPercentiles;
import toystore.lab.stats.VarianceComponents;

/// The tables of a run, in Markdown. A table without rows is empty.
///
/// @param published of this experiment
record RunTables(RunAnalysis run, PublishedLatencies published) {
  private static final double MILLI = 1_000; // µs
  private static final double AGREEMENT = 0.10;
  private static final List<Double> PERCENTILES = List.of(50.0, 90.0, 99.0, 99.9);

  /// @throws IllegalArgumentException if there is no such table
  String table(String name) {
    return switch (name) {
      case "contrasts" -> contrasts();
      case "cells" -> cells();
      case "drift" -> drift();
      case "open" -> open();
      case "cold" -> cold();
      case "cpu" -> cpu();
      case "syncs" -> cost("syncs a request", CellCost::syncs);
      case "parts" -> parts();
      case "baseline" -> baseline();
      case "own" -> own();
      case "published" -> publishedRatios();
      case "null" -> nullServer();
      default -> throw new IllegalArgumentException("unknown table " + name);
    };
  }

  private String contrasts() {
    var table = new MarkdownTable(List.of("contrast", "ratio", "verdict"), true);
    for (PlannedContrast contrast : run.contrasts()) {
      table.add(
          List.of(contrast.name(), number(run.ratio(contrast)), run.verdict(contrast).text()));
    }
    return table.markdown();
  }

  private String cells() {
    var columns = new ArrayList<>(List.of("calls", "clients", "mean, ms"));
    PERCENTILES.forEach(
        it -> columns.add("p%s, ms".formatted(number(it).replaceAll("\\.?0+$", ""))));
    columns.add("calls a second");
    var table = new MarkdownTable(columns);
    for (CellKey cell : run.cells()) {
      table.add(
          Stream.of(
                  first(cell),
                  Stream.of(number(run.mean(cell), MILLI)),
                  percentiles(run.latencies(cell), PERCENTILES),
                  Stream.of(number(run.figure(cell, it -> it.count() / it.seconds()))))
              .flatMap(Function.identity()));
    }
    return table.markdown();
  }

  /// The two columns by which a cell is known.
  private Stream<String> first(CellKey cell) {
    return Stream.of(name(cell), Integer.toString(cell.clients()));
  }

  private String name(CellKey cell) {
    return run.name(new CallSeries(cell.subject(), cell.condition(), cell.kind()));
  }

  private static Stream<String> percentiles(Histogram latencies, List<Double> wanted) {
    SortedMap<Double, Long> stated = LatencyPercentiles.of(latencies);
    return wanted.stream()
        .map(it -> stated.containsKey(it) ? number(stated.get(it) / MILLI) : MISSING);
  }

  private String drift() {
    var table =
        new MarkdownTable(
            List.of(
                "calls",
                "clients",
                "first repetition, s since ready",
                "last, s",
                "drift of all cells of this kind"),
            true);
    for (CallSeries series : run.series()) {
      String result = run.drift(series.subject(), series.kind()).text();
      for (CellKey cell : run.cells(series)) {
        List<CellRow> rows =
            run.repetitions(series).stream()
                .map(BlockRow::cell)
                .filter(it -> it.clients() == cell.clients())
                .toList();
        int last = rows.stream().mapToInt(CellRow::repetition).max().orElse(1);
        table.add(Stream.concat(first(cell), Stream.of(since(rows, 1), since(rows, last), result)));
        result = "";
      }
    }
    return table.markdown();
  }

  private static String since(List<CellRow> rows, int repetition) {
    var seconds =
        rows.stream()
            .filter(it -> it.repetition() == repetition)
            .mapToDouble(CellRow::sinceReadySeconds)
            .summaryStatistics();
    return "%.0f to %.0f".formatted(seconds.getMin(), seconds.getMax());
  }

  private String open() {
    var table =
        new MarkdownTable(
            List.of(
                "calls",
                "share of the highest rate",
                "asked a second",
                "completed a second",
                "p50, ms",
                "p90, ms",
                "p99, ms",
                "windows: overloaded",
                "void",
                "all"));
    for (OpenCurve curve : OpenCurve.of(run)) {
      for (OpenPoint point : curve.points()) {
        List<Double> wanted = PERCENTILES.subList(0, 3);
        table.add(
            Stream.of(
                    Stream.of(
                        run.name(curve.series()),
                        percent(point.share()),
                        point.isVoid() ? MISSING : number(point.asked()),
                        point.isVoid() ? MISSING : number(point.completed())),
                    point.isVoid()
                        ? wanted.stream().map(_ -> "void")
                        : point.isOverloaded()
                            ? wanted.stream().map(_ -> "overloaded")
                            : percentiles(point.latencies(), wanted),
                    Stream.of(point.overloaded(), point.voided(), point.windows())
                        .map(String::valueOf))
                .flatMap(Function.identity()));
      }
    }
    return table.markdown();
  }

  private String cold() {
    List<String> placements = published.placements();
    var columns =
        new ArrayList<>(List.of("calls", "clients", "mean, ms", "total time ÷ calls, ms"));
    placements.forEach(it -> columns.add("published, %s, ms".formatted(it)));
    var table = new MarkdownTable(columns);
    for (String subject : run.plan().subjects()) {
      for (String kind : run.plan().kinds()) {
        for (int clients : coldClients(kind)) {
          var cell = new CellKey(subject, "", clients, kind);
          Optional<ConfidenceInterval> mean = run.figure("cold", cell, CellRow::meanMicros);
          Optional<ConfidenceInterval> share =
              run.figure("cold", cell, it -> it.seconds() * 1e6 * clients / it.count());
          if (mean.isPresent() && share.isPresent()) {
            var cells = new ArrayList<>(first(cell).toList());
            cells.add(number(mean.get(), MILLI));
            cells.add(number(share.get(), MILLI));
            placements.forEach(it -> cells.add(published(it, kind, clients)));
            table.add(cells);
          }
        }
      }
    }
    return table.markdown();
  }

  private List<Integer> coldClients(String kind) {
    return run.plan().coldPass().stream()
        .filter(it -> it.kind().equals(kind))
        .map(it -> it.clients())
        .distinct()
        .toList();
  }

  private String published(String placement, String kind, int clients) {
    return published.of(placement, kind).stream()
        .filter(it -> it.clients() == clients)
        .map(it -> number(it.millis()))
        .findFirst()
        .orElse(MISSING);
  }

  /// Published means with the ratio of the plan's last kind to its first, in the same placement.
  private String publishedRatios() {
    List<String> kinds = run.plan().kinds();
    String first = kinds.getFirst();
    String last = kinds.getLast();
    var columns = new ArrayList<>(List.of("published, other machines", "clients"));
    kinds.forEach(it -> columns.add(it + ", ms"));
    columns.add("%s ÷ %s".formatted(last, first));
    var table = new MarkdownTable(columns);
    for (String placement : published.placements()) {
      for (PublishedLatency of : published.of(placement, first)) {
        var cells = new ArrayList<>(List.of(placement, Integer.toString(of.clients())));
        kinds.forEach(it -> cells.add(published(placement, it, of.clients())));
        cells.add(
            published.of(placement, last).stream()
                .filter(it -> it.clients() == of.clients())
                .map(it -> number(it.millis() / of.millis()))
                .findFirst()
                .orElse(MISSING));
        table.add(cells);
      }
    }
    return table.markdown();
  }

  private String cpu() {
    return cost(
        "CPU, µs a request",
        it -> {
          var all = new TreeMap<>(it.cpuMicros());
          all.put("load client", it.clientCpuMicros());
          return all;
        });
  }

  private String cost(String what, Function<CellCost, Map<String, Long>> cost) {
    var services = new TreeSet<String>();
    run.rows().stream()
        .filter(it -> it.cell().phase().equals("closed"))
        .forEach(it -> services.addAll(cost.apply(it.cell().cost()).keySet()));
    var columns = new ArrayList<>(List.of(what + ": calls", "clients"));
    columns.addAll(services);
    var table = new MarkdownTable(columns);
    for (CellKey cell : services.isEmpty() ? List.<CellKey>of() : run.cells()) {
      table.add(
          Stream.concat(
              first(cell),
              services.stream()
                  .map(service ->
                      number(
                          run.figure(
                              cell,
                              it ->
                                  cost.apply(it.cost()).getOrDefault(service, 0L)
                                      / (double) it.count())))));
    }
    return table.markdown();
  }

  private String parts() {
    var names = new TreeSet<String>();
    run.rows().forEach(it -> names.addAll(it.cell().parts().keySet()));
    names.remove("total");
    var columns = new ArrayList<>(List.of("calls", "clients", "sampled calls", "total, ms"));
    names.forEach(it -> columns.add(it + ", ms"));
    var table = new MarkdownTable(columns);
    for (CellKey cell : run.cells()) {
      List<CellRow> traced = run.traced(cell);
      if (!traced.isEmpty()) {
        long sampled = traced.stream().mapToLong(CellRow::traced).sum();
        table.add(
            Stream.of(
                    first(cell),
                    Stream.of("%,d".formatted(sampled), part(traced, "total", sampled)),
                    names.stream().map(it -> part(traced, it, sampled)))
                .flatMap(Function.identity()));
      }
    }
    return table.markdown();
  }

  private static String part(Collection<CellRow> traced, String part, long sampled) {
    double micros =
        traced.stream().mapToDouble(it -> it.parts().getOrDefault(part, 0.0) * it.traced()).sum();
    return micros == 0 ? MISSING : number(micros / sampled / MILLI);
  }

  private String baseline() {
    var table =
        new MarkdownTable(
            List.of(
                "calls",
                "clients",
                "first start ÷ second",
                "typical difference",
                "standard deviation: blocks",
                "starts",
                "repetitions"));
    for (CellKey cell : run.cells()) {
      List<BaselinePair> pairs = run.baselinePairs(cell.clients(), cell.kind());
      boolean baseline = cell.subject().equals(run.plan().baseline());
      if (baseline
          && cell.condition().equals(run.plan().conditions().getFirst())
          && !pairs.isEmpty()) {
        table.add(
            Stream.of(
                    first(cell),
                    Stream.of(
                        number(run.baselineRatio(cell.clients(), cell.kind())),
                        percent(RunAnswer.typicalDifference(pairs))),
                    deviations(pairs))
                .flatMap(Function.identity()));
      }
    }
    return table.markdown();
  }

  private static Stream<String> deviations(List<BaselinePair> pairs) {
    int repetitions = pairs.getFirst().first().size();
    if (pairs.size() < 2
        || repetitions < 2
        || pairs.stream().anyMatch(it -> it.first().size() != repetitions)) {
      return Stream.of(MISSING, MISSING, MISSING);
    }
    VarianceComponents variance = VarianceComponents.fit(pairs);
    return DoubleStream.of(variance.block(), variance.start(), variance.repetition())
        .mapToObj(it -> percent(Math.expm1(Math.sqrt(it))));
  }

  private String own() {
    var table =
        new MarkdownTable(List.of("calls", "clients", "own loop ÷ simulation", "result"), true);
    for (CellKey cell : run.cells()) {
      run.ownRatio(cell)
          .ifPresent(ratio ->
              table.add(
                  Stream.concat(
                      first(cell),
                      Stream.of(
                          number(ratio),
                          Math.abs(Math.log(ratio.value())) <= Math.log1p(AGREEMENT)
                              ? "within 10 %"
                              : "differs by more than 10 %"))));
    }
    return table.markdown();
  }

  /// Of the client that runs the closed loop, and of the own loop beside a simulation.
  private String nullServer() {
    var table =
        new MarkdownTable(
            List.of(
                "load client",
                "clients",
                "mean, ms",
                "calls a second",
                "load client's CPU, µs a call"));
    for (String phase : List.of("null", "own")) {
      boolean simulation = phase.equals("null") && !run.plan().simulation().isEmpty();
      for (int clients : run.plan().clients()) {
        var cell = new CellKey(run.plan().baseline(), "", clients, "null");
        run.figure(phase, cell, CellRow::meanMicros)
            .ifPresent(mean ->
                table.add(
                    List.of(
                        simulation ? "simulation" : "own loop",
                        Integer.toString(clients),
                        number(mean, MILLI),
                        nullFigure(phase, cell, it -> it.count() / it.seconds()),
                        nullFigure(
                            phase,
                            cell,
                            it -> it.cost().clientCpuMicros() / (double) it.count()))));
      }
    }
    return table.markdown();
  }

  private String nullFigure(String phase, CellKey cell, ToDoubleFunction<CellRow> figure) {
    return run.figure(phase, cell, figure).map(MarkdownTable::number).orElse(MISSING);
  }
}
