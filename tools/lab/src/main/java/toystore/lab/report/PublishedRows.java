package toystore.lab.report;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.HdrHistogram.Histogram;
import toystore.lab.load.CellRow;
import toystore.lab.load.CellRows;
import toystore.lab.load.JsonFile;
import toystore.lab.report.OpenCurve.OpenPoint;
import toystore.lab.run.BlockRow;
import toystore.lab.run.CellKey;

/// The rows of a run that are published: those of the closed loop, of the course and of the
/// published pass, without latencies of single calls.
///
/// @param inFull whether distributions, times and the open loop are shown: then one row of each
///   cell has the latencies of all its rows
record PublishedRows(RunAnalysis run, boolean inFull) {
  List<BlockRow> rows() {
    Map<BlockRow, CellRow> pooled = inFull ? pooled() : Map.of();
    List<String> phases =
        inFull ? List.of("closed", "cold", "course", "open") : List.of("closed", "cold", "course");
    return run.rows().stream()
        .filter(it -> it.cell().count() > 0 && phases.contains(it.cell().phase()))
        .map(it -> {
          CellRow cell = pooled.getOrDefault(it, with(it.cell(), List.of()));
          return new BlockRow(it.block(), it.start(), it.subject(), it.second(), cell);
        })
        .toList();
  }

  private Map<BlockRow, CellRow> pooled() {
    var pooled = new HashMap<BlockRow, CellRow>();
    for (CellKey cell : run.cells()) {
      List<BlockRow> all = run.measured("closed", cell).toList();
      pooled.put(all.getFirst(), with(all.getFirst().cell(), all));
    }
    for (OpenCurve curve : OpenCurve.of(run)) {
      for (OpenPoint point : curve.points()) {
        point.used().stream()
            .findFirst()
            .ifPresent(it -> pooled.put(it, with(it.cell(), point.used())));
      }
    }
    return pooled;
  }

  /// A row with the latencies of others in place of its own.
  private CellRow with(CellRow row, List<BlockRow> all) {
    var latencies = new Histogram(3);
    all.forEach(it -> latencies.add(RunAnalysis.histogram(it.cell())));
    long cpuMicros = row.cost().cpuMicros().values().stream().mapToLong(it -> it).sum();
    return JsonFile.with(
        row,
        fields -> {
          fields.withObject("/cost").putPOJO("cpuMicros", Map.of("all", cpuMicros));
          fields.put("histogram", all.isEmpty() ? "" : CellRows.line(latencies));
          if (!inFull || !row.phase().equals("closed")) {
            fields.withObject("/cost").putObject("timeMicros");
          }
          if (!row.phase().equals("open")) { // follow from the others
            fields.put("asked", 0).put("completed", 0);
          }
        });
  }
}
