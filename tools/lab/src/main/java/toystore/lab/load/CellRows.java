package toystore.lab.load;

import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.HistogramLogWriter;
import org.jspecify.annotations.Nullable;
import toystore.clients.load.CallRecorder;
import toystore.clients.load.OpenLoop;

/// Measures cells, one at a time, and writes a row for each: a line of JSON. Any thread.
public final class CellRows implements AutoCloseable {
  private static final JsonMapper JSON = new JsonMapper();

  private final Writer rows;
  private final CellMeter meter;
  private final long readyMillis;

  /// Where a cell is in its start.
  ///
  /// @param phase `null`, `cold`, `warm-up`, `closed`, `course` or `open`
  /// @param condition what was switched at run time; empty: nothing
  /// @param rate asked requests per second; 0 in a closed loop
  /// @param repetition from 1; 0 outside of the closed loop
  record Place(
      String phase, String kind, int clients, String condition, double rate, int repetition) {
    /// The same place for another kind of call.
    Place ofKind(String other) {
      return new Place(phase, other, clients, condition, rate, repetition);
    }
  }

  CellRows(StartPlan plan, Path file) throws IOException {
    rows = Files.newBufferedWriter(file);
    meter = new CellMeter(plan.pids(), plan.metrics());
    readyMillis = plan.readyMillis();
  }

  /// Begins to measure what a cell costs.
  synchronized void begin() {
    meter.begin();
  }

  /// Ends the cell and writes its row.
  void end(Place cell, double seconds, CallRecorder recorder) throws IOException {
    end(Map.of(cell, recorder), seconds);
  }

  /// Ends the cell of a mixed load and writes a row for each kind. Each kind is charged with its
  /// share of the calls, as nothing tells which call caused which cost.
  synchronized void end(Map<Place, CallRecorder> kinds, double seconds) throws IOException {
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

  synchronized void end(Place cell, CallRecorder recorder, OpenLoop.Course course)
      throws IOException {
    write(cell, course.seconds(), recorder, course, meter.end());
  }

  private void write(
      Place cell,
      double seconds,
      CallRecorder recorder,
      OpenLoop.@Nullable Course course,
      CellCost cost)
      throws IOException {
    double since = (System.currentTimeMillis() - readyMillis) / 1e3 - seconds;
    Histogram latencies = recorder.latencies();
    long count = latencies.getTotalCount();
    long errors = recorder.refusals() + recorder.failures();
    var row =
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
            line(latencies));
    rows.write(JSON.writeValueAsString(row) + "\n");
    rows.flush();
  }

  private static String window(OpenLoop.Course course, CallRecorder calls, Histogram latencies) {
    var window =
        new OpenLoopCheck.Window(
            course.sent(),
            course.completed(),
            course.backlog().size() < 2 ? List.of(0, 0) : course.backlog(),
            latencies.getValueAtPercentile(50),
            calls.lateness().getValueAtPercentile(99));
    return switch (OpenLoopCheck.of(window)) {
      case OpenLoopCheck.Valid _ -> "valid";
      case OpenLoopCheck.Overloaded(String reason) -> "overloaded: " + reason;
      case OpenLoopCheck.VoidRun(String reason) -> "void: " + reason;
    };
  }

  /// A histogram as a line of HdrHistogram's log.
  public static String line(Histogram histogram) {
    var bytes = new ByteArrayOutputStream();
    try (var out = new PrintStream(bytes, false, StandardCharsets.UTF_8)) {
      new HistogramLogWriter(out).outputIntervalHistogram(histogram);
    }
    return bytes.toString(StandardCharsets.UTF_8).strip();
  }

  @Override
  public void close() throws IOException {
    rows.close();
  }
}
