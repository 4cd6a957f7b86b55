package toystore.lab.report;

import static java.util.stream.Collectors.groupingBy;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.TreeMap;
import java.util.function.ToLongFunction;
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
  /// @param used those in which the load client was not late; the others are in no figure
  record OpenPoint(CallSeries series, double share, List<BlockRow> windows, List<BlockRow> used) {
    boolean isVoid() {
      return used.isEmpty();
    }

    /// Windows in which the store did not keep pace.
    int overloaded() {
      return (int) used.stream().filter(it -> it.cell().window().startsWith("overloaded")).count();
    }

    /// Most windows are. A single window may be called overloaded by chance.
    boolean isOverloaded() {
      return 2 * overloaded() > used.size();
    }

    /// Requests per second, the mean of windows.
    double asked() {
      return perSecond(CellRow::asked);
    }

    /// Correct responses per second, the mean of windows.
    double completed() {
      return perSecond(CellRow::completed);
    }

    private double perSecond(ToLongFunction<CellRow> count) {
      return used.stream()
          .mapToDouble(it -> count.applyAsLong(it.cell()) / it.cell().seconds())
          .average()
          .orElse(0);
    }

    /// In µs.
    Histogram latencies() {
      var latencies = new Histogram(3);
      used.forEach(it -> latencies.add(RunAnalysis.histogram(it.cell())));
      return latencies;
    }
  }

  static List<OpenCurve> of(RunAnalysis run) {
    return run.plan().subjects().stream()
        .flatMap(subject ->
            run.plan().kinds().stream().map(it -> of(run, new CallSeries(subject, "", it))))
        .filter(it -> !it.points().isEmpty())
        .toList();
  }

  /// Rows have rates; those of a start are its shares in the same order.
  private static OpenCurve of(RunAnalysis run, CallSeries series) {
    List<Double> shares = run.plan().openShares().stream().sorted().toList();
    var byShare = new TreeMap<Double, List<BlockRow>>();
    run.rows().stream()
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
    var points = new ArrayList<OpenPoint>();
    byShare.forEach((share, windows) ->
        points.add(
            new OpenPoint(
                series,
                share,
                windows,
                windows.stream().filter(it -> !it.cell().window().startsWith("void")).toList())));
    return new OpenCurve(series, points);
  }
}
