package toystore.lab.simulation;

import com.fasterxml.jackson.databind.json.JsonMapper;
import io.gatling.javaapi.core.Session;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import toystore.lab.load.CallRecorder;
import toystore.lab.load.CellRows;
import toystore.lab.load.StartPlan;

/// What a simulation does: the plan of an experiment's start, or a default plan for the store at
/// `-Durl`.
record SimulationPlan(StartPlan plan, CellRows rows) {
  private static final List<String> SHIPPED = List.of("Tux", "Whale", "Elephant", "Bird");
  private static final int MAX_CLIENTS = 5;

  /// Reads the plan at `-Dtoystore.lab.plan`, whose rows are written to `-Dtoystore.lab.rows`.
  static SimulationPlan read() {
    try {
      String file = System.getProperty("toystore.lab.plan", "");
      StartPlan plan =
          file.isEmpty()
              ? ofStore(URI.create(System.getProperty("url", "http://127.0.0.1:8080")))
              : new JsonMapper().readValue(Path.of(file).toFile(), StartPlan.class);
      Path rows = Path.of(System.getProperty("toystore.lab.rows", "target/rows.jsonl"));
      return new SimulationPlan(plan, new CellRows(plan, rows));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static StartPlan ofStore(URI url) {
    var cold = new ArrayList<StartPlan.ColdCell>();
    var cells = new ArrayList<StartPlan.PlannedCell>();
    for (int clients = 1; clients <= MAX_CLIENTS; clients++) {
      cold.add(new StartPlan.ColdCell("query", clients, 1_000));
      for (String kind : List.of("query", "buy")) {
        cells.add(new StartPlan.PlannedCell("closed", 1, kind, clients, ""));
      }
    }
    Collections.shuffle(cells);
    return new StartPlan(
        url,
        "",
        Map.of(),
        1,
        System.currentTimeMillis(),
        Map.of(),
        Map.of(),
        url,
        cold,
        20,
        MAX_CLIENTS,
        cells,
        List.of(),
        500,
        2_000,
        0);
  }

  List<String> products() {
    return plan.values().getOrDefault("product", SHIPPED);
  }

  MeasuredScenario cell(String phase, String kind, int clients, int repetition, CallTimer timer) {
    return new MeasuredScenario(
        new CellRows.Place(phase, kind, clients, "", 0, repetition), rows, timer);
  }

  /// A scenario whose calls are recorded from the time at which its first client begins to the time
  /// at which its last client leaves. Any thread.
  static final class MeasuredScenario {
    private final CellRows.Place place;
    private final CellRows rows;
    private final CallTimer timer;
    private final CallRecorder recorder = new CallRecorder();
    private final AtomicInteger begun = new AtomicInteger();
    private final AtomicInteger left = new AtomicInteger();
    private volatile long beginNanos;

    MeasuredScenario(CellRows.Place place, CellRows rows, CallTimer timer) {
      this.place = place;
      this.rows = rows;
      this.timer = timer;
    }

    /// Calls are not recorded yet.
    Session enter(Session session) {
      timer.record(null);
      return session;
    }

    synchronized Session begin(Session session) {
      if (begun.getAndIncrement() == 0) {
        Thread.startVirtualThread(rows::begin); // its time is not that of a client
        beginNanos = System.nanoTime();
        timer.record(recorder);
      }
      return session;
    }

    Session leave(Session session) {
      if (left.incrementAndGet() == place.clients()) {
        timer.record(null);
        try {
          rows.end(place, (System.nanoTime() - beginNanos) / 1e9, recorder);
        } catch (IOException e) {
          throw new UncheckedIOException(Objects.toString(place), e);
        }
      }
      return session;
    }
  }
}
