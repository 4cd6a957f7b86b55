package toystore.lab.load;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.HistogramLogWriter;
import org.jspecify.annotations.Nullable;
import toystore.clients.load.CallRecorder;
import toystore.clients.load.OpenLoop;

/// Measures cells, one at a time, and keeps a row for each. Any thread.
public final class CellRows {
  private final List<CellRow> rows = new CopyOnWriteArrayList<>();
  private final CellMeter meter;
  private final long ready = System.nanoTime();

  /// Where a cell is in its start.
  ///
  /// @param phase `null`, `cold`, `warm-up`, `closed`, `course` or `open`
  /// @param condition what was switched at run time; empty: nothing
  /// @param rate asked requests per second; 0 in a closed loop
  /// @param repetition from 1; 0 outside of the closed loop
  public record Place(
      String phase, String kind, int clients, String condition, double rate, int repetition) {
    /// The same place for another kind of call.
    public Place ofKind(String other) {
      return new Place(phase, other, clients, condition, rate, repetition);
    }
  }

  /// Cells of a subject that is ready now.
  ///
  /// @param pids process id by service
  /// @param metrics URL of the Prometheus page by service
  public CellRows(Map<String, Long> pids, Map<String, URI> metrics) {
    meter = new CellMeter(pids, metrics);
  }

  /// The rows so far.
  public List<CellRow> all() {
    return List.copyOf(rows);
  }

  /// Begins to measure what a cell costs.
  public synchronized void begin() {
    meter.begin();
  }

  /// Ends the cell and writes its row.
  public void end(Place cell, double seconds, CallRecorder recorder) {
    end(Map.of(cell, recorder), seconds);
  }

  /// Ends the cell of a mixed load and writes a row for each kind. Each kind is charged with its
  /// share of the calls, as nothing tells which call caused which cost.
  public synchronized void end(Map<Place, CallRecorder> kinds, double seconds) {
    CellCost cost = meter.end();
    double calls = kinds.values().stream().mapToLong(it -> it.correct()).sum();
    for (Map.Entry<Place, CallRecorder> kind : kinds.entrySet()) {
      long count = kind.getValue().correct();
      write(
          kind.getKey(),
          seconds,
          kind.getValue(),
          null,
          kinds.size() == 1 ? cost : cost.share(count / Math.max(1, calls)));
    }
  }

  public synchronized void end(Place cell, CallRecorder recorder, OpenLoop.Course course) {
    write(cell, course.seconds(), recorder, course, meter.end());
  }

  private void write(
      Place cell,
      double seconds,
      CallRecorder recorder,
      OpenLoop.@Nullable Course course,
      CellCost cost) {
    double since = (System.nanoTime() - ready) / 1e9 - seconds;
    Histogram latencies = recorder.latencies();
    long count = latencies.getTotalCount();
    long errors = recorder.refusals() + recorder.failures();
    rows.add(
        new CellRow(
            cell.phase(),
            cell.kind(),
            cell.clients(),
            cell.condition(),
            cell.rate(),
            cell.repetition(),
            since,
            seconds,
            count,
            course == null ? count + errors : course.sent(),
            course == null ? count : course.completed(),
            errors,
            recorder.firstError(),
            count == 0 ? 0 : latencies.getMean(),
            recorder.firstResponseMicros(),
            course == null ? "" : window(course, recorder, latencies),
            cost,
            line(latencies)));
  }

  private static String window(OpenLoop.Course course, CallRecorder calls, Histogram latencies) {
    return new OpenLoopCheck(
            course.sent(),
            course.completed(),
            course.backlog(),
            latencies.getValueAtPercentile(50),
            calls.lateness().getValueAtPercentile(99))
        .verdict();
  }

  /// A histogram as a line of HdrHistogram's log.
  private static String line(Histogram histogram) {
    var bytes = new ByteArrayOutputStream();
    try (var out = new PrintStream(bytes, false, StandardCharsets.UTF_8)) {
      new HistogramLogWriter(out).outputIntervalHistogram(histogram);
    }
    return bytes.toString(StandardCharsets.UTF_8).strip();
  }
}
