package toystore.lab.report;

import static java.util.stream.Collectors.groupingBy;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.HdrHistogram.Histogram;
import toystore.lab.load.CellRow;
import toystore.lab.report.RunAnalysis.CallSeries;
import toystore.lab.run.BlockRow;

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
            run.plan().kinds().stream().map(it -> of(run, new CallSeries(subject, "", it))))
        .filter(it -> !it.points().isEmpty())
        .toList();
  }

  private static OpenCurve of(RunAnalysis run, CallSeries series) {
    return new OpenCurve(
        series,
        windows(run.rows(), series, run.plan().openShares()).entrySet().stream()
            .map(it -> point(series, it.getKey(), it.getValue()))
            .toList());
  }

  /// The rows of a series by their share of the highest rate. Rows have rates; those of a start are
  /// its shares in the same order.
  static Map<Double, List<BlockRow>> windows(
      List<BlockRow> rows, CallSeries series, List<Double> openShares) {
    List<Double> shares = openShares.stream().sorted().toList();
    var byShare = new TreeMap<Double, List<BlockRow>>();
    rows.stream()
        .filter(it -> it.subject().equals(series.subject()) && it.cell().phase().equals("open"))
        .filter(it -> it.cell().kind().equals(series.kind()))
        .sorted(Comparator.comparingDouble(it -> it.cell().rate()))
        .collect(groupingBy(it -> List.of(it.block(), it.start())))
        .values()
        .forEach(start -> {
          for (int i = 0; i < Math.min(shares.size(), start.size()); i++) {
            byShare.computeIfAbsent(shares.get(i), _ -> new ArrayList<>()).add(start.get(i));
          }
        });
    return byShare;
  }

  /// Whether the load client was late.
  static boolean isVoid(BlockRow window) {
    return window.cell().window().startsWith("void");
  }

  private static OpenPoint point(CallSeries series, double share, List<BlockRow> windows) {
    List<CellRow> used = windows.stream().filter(it -> !isVoid(it)).map(BlockRow::cell).toList();
    var latencies = new Histogram(3);
    used.forEach(it -> latencies.add(RunAnalysis.histogram(it)));
    return new OpenPoint(
        series,
        share,
        windows.size(),
        windows.size() - used.size(),
        (int) used.stream().filter(it -> it.window().startsWith("overloaded")).count(),
        used.stream().mapToDouble(it -> it.asked() / it.seconds()).average().orElse(0),
        used.stream().mapToDouble(it -> it.completed() / it.seconds()).average().orElse(0),
        latencies);
  }
}
