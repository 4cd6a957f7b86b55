package toystore.lab.report;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.HdrHistogram.Histogram;
import toystore.lab.load.CellRow;
import toystore.lab.load.CellRows;
import toystore.lab.load.JsonFile;
import toystore.lab.report.RunAnalysis.CallSeries;
import toystore.lab.run.BlockRow;
import toystore.lab.run.CellKey;

/// The rows of a run that are published: those of the closed loop and of the published pass,
/// without latencies of single calls.
///
/// @param inFull whether distributions, parts and the open loop are shown: then one row of each
///   cell has the latencies and the parts of all its rows
record PublishedRows(RunAnalysis run, boolean inFull) {
  List<BlockRow> rows() {
    Map<BlockRow, CellRow> pooled = inFull ? pooled() : Map.of();
    return run.rows().stream()
        .filter(it -> it.cell().count() > 0)
        .filter(it ->
            List.of("closed", "cold").contains(it.cell().phase())
                || inFull && it.cell().phase().equals("open"))
        .map(it ->
            new BlockRow(
                it.block(),
                it.start(),
                it.subject(),
                it.second(),
                pooled.getOrDefault(it, without(it.cell(), List.of(), List.of()))))
        .toList();
  }

  private Map<BlockRow, CellRow> pooled() {
    var pooled = new HashMap<BlockRow, CellRow>();
    for (CellKey cell : run.cells()) {
      List<BlockRow> all = run.measured("closed", cell).toList();
      pooled.put(all.getFirst(), without(all.getFirst().cell(), all, run.traced(cell)));
    }
    for (String subject : run.plan().subjects()) {
      for (String kind : run.plan().kinds()) {
        var series = new CallSeries(subject, "", kind);
        for (List<BlockRow> all :
            OpenCurve.windows(run.rows(), series, run.plan().openShares()).values()) {
          List<BlockRow> used = all.stream().filter(it -> !OpenCurve.isVoid(it)).toList();
          used.stream()
              .findFirst()
              .ifPresent(it -> pooled.put(it, without(it.cell(), used, List.of())));
        }
      }
    }
    return pooled;
  }

  /// A row without its own latencies and parts.
  ///
  /// @param all whose latencies it gets
  /// @param traced whose parts it gets
  private static CellRow without(CellRow row, List<BlockRow> all, List<CellRow> traced) {
    var latencies = new Histogram(3);
    all.forEach(it -> latencies.add(RunAnalysis.histogram(it.cell())));
    long sampled = traced.stream().mapToLong(CellRow::traced).sum();
    var parts = new TreeMap<String, Double>();
    for (CellRow each : traced) {
      each.parts()
          .forEach(
              (part, micros) -> parts.merge(part, micros * each.traced() / sampled, Double::sum));
    }
    long cpuMicros = row.cost().cpuMicros().values().stream().mapToLong(it -> it).sum();
    return JsonFile.with(
        row,
        fields -> {
          fields.withObject("/cost").putPOJO("cpuMicros", Map.of("all", cpuMicros));
          fields.put("histogram", all.isEmpty() ? "" : CellRows.line(latencies));
          fields.put("traced", sampled).putPOJO("parts", parts);
          if (!row.phase().equals("open")) { // follow from the others
            fields.put("asked", 0).put("completed", 0);
          }
        });
  }
}
