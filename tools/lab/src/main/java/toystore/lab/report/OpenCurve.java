package toystore.lab.report;

import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.mapping;
import static java.util.stream.Collectors.toList;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.TreeMap;
import org.HdrHistogram.Histogram;
import toystore.lab.load.CellRow;
import toystore.lab.report.RunAnalysis.CallSeries;
import toystore.lab.run.BlockRow;
import toystore.lab.stats.OpenLoopCheck;

/// The latencies of one kind of call in the open loop, by rate.
///
/// @param points by ascending rate
record OpenCurve(CallSeries series, List<OpenPoint> points) {

  /// All windows of one rate, which is a share of the highest rate of the closed loop in the same
  /// start.
  ///
  /// @param windows in all starts
  /// @param voided windows in which the load client was late; they are in no other figure
  /// @param overloaded windows in which the store did not keep pace
  /// @param asked requests per second, the mean of the other windows
  /// @param completed correct responses per second, the mean of the other windows
  /// @param latencies of all windows that are not void, in µs
  record OpenPoint(
      CallSeries series,
      double share,
      int windows,
      int voided,
      int overloaded,
      double asked,
      double completed,
      Histogram latencies) {

    boolean isVoid() {
      return voided == windows;
    }

    /// Most windows are. A single window may be called overloaded by chance.
    boolean isOverloaded() {
      return 2 * overloaded > windows - voided;
    }
  }

  static List<OpenCurve> of(RunAnalysis run) {
    return run.plan().subjects().stream()
        .flatMap(subject ->
            run.plan().openKinds().stream().map(it -> of(run, new CallSeries(subject, "", it))))
        .filter(it -> !it.points().isEmpty())
        .toList();
  }

  // rows have rates; the rates of a start are its shares in the same order
  private static OpenCurve of(RunAnalysis run, CallSeries series) {
    List<Double> shares = run.plan().openShares().stream().sorted().toList();
    var byShare = new TreeMap<Double, List<CellRow>>();
    run.rows().stream()
        .filter(it -> it.subject().equals(series.subject()) && it.cell().phase().equals("open"))
        .filter(it -> it.cell().kind().equals(series.kind()))
        .sorted(Comparator.comparingDouble(it -> it.cell().rate()))
        .collect(
            groupingBy(it -> List.of(it.block(), it.start()), mapping(BlockRow::cell, toList())))
        .values()
        .forEach(start -> {
          for (int i = 0; i < Math.min(shares.size(), start.size()); i++) {
            byShare.computeIfAbsent(shares.get(i), _ -> new ArrayList<>()).add(start.get(i));
          }
        });
    return new OpenCurve(
        series,
        byShare.entrySet().stream().map(it -> point(series, it.getKey(), it.getValue())).toList());
  }

  private static OpenPoint point(CallSeries series, double share, List<CellRow> windows) {
    List<CellRow> used =
        windows.stream().filter(it -> !(check(it) instanceof OpenLoopCheck.VoidRun)).toList();
    var latencies = new Histogram(3);
    used.forEach(it -> latencies.add(RunAnalysis.histogram(it)));
    return new OpenPoint(
        series,
        share,
        windows.size(),
        windows.size() - used.size(),
        (int) used.stream().filter(it -> check(it) instanceof OpenLoopCheck.Overloaded).count(),
        used.stream().mapToDouble(it -> it.asked() / it.seconds()).average().orElse(0),
        used.stream().mapToDouble(it -> it.completed() / it.seconds()).average().orElse(0),
        latencies);
  }

  private static OpenLoopCheck check(CellRow row) {
    List<Integer> backlog = row.backlog().stream().map(Math::toIntExact).toList();
    return OpenLoopCheck.of(
        new OpenLoopCheck.Window(
            row.asked(),
            row.completed(),
            backlog.size() < 2 ? List.of(0, 0) : backlog,
            RunAnalysis.histogram(row).getValueAtPercentile(50),
            row.lateMicros()));
  }
}
