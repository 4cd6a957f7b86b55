package toystore.lab.report;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
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
    var curves = new ArrayList<OpenCurve>();
    for (String subject : run.plan().subjects()) {
      for (String kind : run.plan().openKinds()) {
        Map<Double, List<CellRow>> byShare = byShare(run, subject, kind);
        if (!byShare.isEmpty()) {
          curves.add(
              new OpenCurve(
                  new CallSeries(subject, "", kind),
                  byShare.entrySet().stream()
                      .map(it -> point(it.getKey(), it.getValue()))
                      .toList()));
        }
      }
    }
    return curves;
  }

  // rows have rates; the rates of a start are its shares in the same order
  private static Map<Double, List<CellRow>> byShare(RunAnalysis run, String subject, String kind) {
    List<Double> shares = run.plan().openShares().stream().sorted().toList();
    var byShare = new TreeMap<Double, List<CellRow>>();
    run.rows().stream()
        .filter(it -> it.subject().equals(subject) && it.cell().phase().equals("open"))
        .filter(it -> it.cell().kind().equals(kind))
        .sorted(Comparator.comparingDouble(it -> it.cell().rate()))
        .collect(Collectors.groupingBy(it -> List.of(it.block(), it.start())))
        .values()
        .forEach(start -> {
          for (int i = 0; i < Math.min(shares.size(), start.size()); i++) {
            byShare.computeIfAbsent(shares.get(i), _ -> new ArrayList<>()).add(cell(start, i));
          }
        });
    return byShare;
  }

  private static CellRow cell(List<BlockRow> start, int index) {
    return start.get(index).cell();
  }

  private static OpenPoint point(double share, List<CellRow> windows) {
    var latencies = new Histogram(3);
    int voided = 0;
    int overloaded = 0;
    double asked = 0;
    double completed = 0;
    for (CellRow row : windows) {
      Histogram histogram = StoredHistogram.read(row.histogram());
      OpenLoopCheck check = check(row, histogram);
      if (check instanceof OpenLoopCheck.VoidRun) {
        voided++;
      } else {
        overloaded += check instanceof OpenLoopCheck.Overloaded ? 1 : 0;
        asked += row.asked() / row.seconds();
        completed += row.completed() / row.seconds();
        latencies.add(histogram);
      }
    }
    int used = Math.max(1, windows.size() - voided);
    return new OpenPoint(
        share, windows.size(), voided, overloaded, asked / used, completed / used, latencies);
  }

  private static OpenLoopCheck check(CellRow row, Histogram latencies) {
    List<Integer> backlog = row.backlog().stream().map(Math::toIntExact).toList();
    return OpenLoopCheck.of(
        new OpenLoopCheck.Window(
            row.asked(),
            row.completed(),
            backlog.size() < 2 ? List.of(0, 0) : backlog,
            latencies.getValueAtPercentile(50),
            row.lateMicros()));
  }
}
