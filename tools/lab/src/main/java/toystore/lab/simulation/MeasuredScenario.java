package toystore.lab.simulation;

import io.gatling.javaapi.core.Session;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import toystore.lab.load.CallRecorder;
import toystore.lab.load.CellRows;

/// A scenario whose calls are recorded from the time at which its first client begins to the time
/// at which its last client leaves. Its methods are steps of each client. Any thread: a client that
/// begins waits until the recording has begun, so that no call is lost.
final class MeasuredScenario {
  private final CellRows.Place place;
  private final Map<String, String> rowKinds;
  private final int traceEvery;
  private final CellRows rows;
  private final CallTimer timer;
  private Map<CellRows.Place, CallRecorder> recorders = Map.of();
  private int begun;
  private int left;
  private long beginNanos;

  MeasuredScenario(
      CellRows.Place place,
      Map<String, String> rowKinds,
      int traceEvery,
      CellRows rows,
      CallTimer timer) {
    this.place = place;
    this.rowKinds = rowKinds;
    this.traceEvery = traceEvery;
    this.rows = rows;
    this.timer = timer;
  }

  /// Calls are not recorded yet, but may ask for parts already.
  Session enter(Session session) {
    timer.record(new CallTimer.Target(Map.of(), traceEvery));
    return CallTimer.addTo(session);
  }

  synchronized Session begin(Session session) {
    if (begun++ == 0) {
      record(rows::begin);
    }
    return session;
  }

  /// Writes the rows of each second, for a warm-up.
  synchronized Session everySecond(Session session) {
    double seconds = seconds();
    if (seconds >= 1) {
      Map<CellRows.Place, CallRecorder> ended = recorders;
      record(() -> {
        write(ended, seconds);
        rows.begin();
      });
    }
    return session;
  }

  synchronized Session leave(Session session) {
    if (++left == place.clients()) {
      timer.record(CallTimer.Target.NONE);
      write(recorders, seconds());
    }
    return session;
  }

  /// @param beside what reads counters, beside the clients: its time is not theirs
  private void record(Runnable beside) {
    var byKind = new HashMap<String, CallRecorder>();
    var byPlace = new LinkedHashMap<CellRows.Place, CallRecorder>();
    rowKinds.forEach((kind, row) ->
        byKind.put(kind, byPlace.computeIfAbsent(place.ofKind(row), _ -> new CallRecorder())));
    Thread.startVirtualThread(beside);
    recorders = byPlace;
    beginNanos = System.nanoTime();
    timer.record(new CallTimer.Target(Map.copyOf(byKind), traceEvery));
  }

  private double seconds() {
    return (System.nanoTime() - beginNanos) / 1e9;
  }

  private void write(Map<CellRows.Place, CallRecorder> cells, double seconds) {
    try {
      rows.end(cells, seconds);
    } catch (IOException e) {
      throw new UncheckedIOException(place.toString(), e);
    }
  }
}
