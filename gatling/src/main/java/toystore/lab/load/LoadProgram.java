package toystore.lab.load;

import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;

/// The program of the load client. It runs the phases of one start and writes a row for each cell,
/// a line of JSON each:
///
/// 1. `null`: the cells' numbers of clients against the null server,
/// 2. `cold`: the published pass,
/// 3. `warm-up`: all kinds in turns, a row for each second,
/// 4. `closed`: the cells in the plan's order,
/// 5. `open`: the open loop at shares of the highest rate that the closed loop reached.
public final class LoadProgram implements AutoCloseable {
  private static final JsonMapper JSON = new JsonMapper();
  private static final Scenario EMPTY_REQUEST =
      new Scenario(
          Map.of(
              "null",
              new Scenario.Kind("GET", "/", null, null, new Scenario.Check(200, null, null, null))),
          Map.of());

  private final StartPlan plan;
  private final Scenario scenario;
  private final CellRows rows;
  private final Map<String, CallSource> sources = new HashMap<>();
  private final Map<String, Double> maxRate = new HashMap<>();

  private LoadProgram(StartPlan plan, Scenario scenario, CellRows rows) {
    this.plan = plan;
    this.scenario = scenario;
    this.rows = rows;
    scenario
        .kinds()
        .keySet()
        .forEach(kind -> sources.put(kind, new CallSource(plan.url(), scenario, kind)));
  }

  /// @param args the file of the [StartPlan] and the file to write
  public static void main(String[] args) throws IOException, InterruptedException {
    StartPlan plan = JSON.readValue(Path.of(args[0]).toFile(), StartPlan.class);
    Scenario scenario = Scenario.read(Path.of(plan.scenario()));
    for (Map.Entry<String, List<String>> values : plan.values().entrySet()) {
      scenario = scenario.with(values.getKey(), values.getValue());
    }
    try (var program = new LoadProgram(plan, scenario, new CellRows(plan, Path.of(args[1])))) {
      program.run();
    }
  }

  private void run() throws IOException, InterruptedException {
    for (int clients :
        new LinkedHashSet<>(plan.cells().stream().map(it -> it.clients()).sorted().toList())) {
      var nothing = new CallSource(plan.nullServer(), EMPTY_REQUEST, "null");
      closed("null", plan.nullServer(), "null", nothing, clients, 0, 0);
    }
    for (StartPlan.ColdCell cell : plan.coldPass()) {
      cold(cell);
    }
    warmUp();
    for (StartPlan.PlannedCell cell : plan.cells()) {
      double rate =
          closed(
              "closed",
              plan.url(),
              cell.kind(),
              source(cell.kind()),
              cell.clients(),
              cell.repetition(),
              plan.traceEvery());
      maxRate.merge(cell.kind(), rate, Math::max);
    }
    for (String kind : plan.openKinds()) {
      for (double share : plan.openShares()) {
        open(kind, share * maxRate.getOrDefault(kind, 0.0));
      }
    }
  }

  private CallSource source(String kind) {
    scenario.kind(kind);
    return java.util.Objects.requireNonNull(sources.get(kind), kind);
  }

  private void cold(StartPlan.ColdCell cell) throws IOException, InterruptedException {
    var recorder = new CallRecorder();
    try (var loop = new ClosedLoop(plan.url(), cell.clients(), plan.seed(), 0)) {
      rows.begin();
      double seconds = loop.callCount(source(cell.kind()), cell.calls(), recorder);
      rows.end(new CellRows.Place("cold", cell.kind(), cell.clients(), 0, 0), seconds, recorder);
    }
  }

  /// Writes a row for each second, which show whether the subject has warmed up.
  private void warmUp() throws IOException, InterruptedException {
    List<CallSource> kinds =
        plan.cells().stream().map(it -> it.kind()).distinct().map(this::source).toList();
    var place = new CellRows.Place("warm-up", "all", plan.warmUpClients(), 0, 0);
    try (var loop =
        new ClosedLoop(plan.url(), plan.warmUpClients(), plan.seed(), plan.traceEvery())) {
      for (int second = 0; second < plan.warmUpSeconds(); second++) {
        var recorder = new CallRecorder();
        double seconds =
            loop.callFor(kinds, Duration.ZERO, Duration.ofSeconds(1), recorder, rows::begin);
        rows.end(place, seconds, recorder);
      }
    }
  }

  /// @return responses per second
  private double closed(
      String phase,
      URI url,
      String kind,
      CallSource source,
      int clients,
      int repetition,
      int traceEvery)
      throws IOException, InterruptedException {
    var recorder = new CallRecorder();
    long seed = plan.seed() + 31L * clients + repetition;
    try (var loop = new ClosedLoop(url, clients, seed, traceEvery)) {
      double seconds =
          loop.callFor(
              List.of(source),
              millis(plan.settlingMillis()),
              millis(plan.measuringMillis()),
              recorder,
              rows::begin);
      return rows.end(new CellRows.Place(phase, kind, clients, 0, repetition), seconds, recorder);
    }
  }

  private void open(String kind, double perSecond) throws IOException, InterruptedException {
    var recorder = new CallRecorder();
    try (var loop = new OpenLoop(plan.url())) {
      OpenLoop.Course course =
          loop.call(
              source(kind),
              perSecond,
              millis(plan.settlingMillis()),
              millis(plan.measuringMillis()),
              plan.seed(),
              recorder,
              rows::begin);
      rows.end(
          new CellRows.Place("open", kind, 0, perSecond, 0), course.seconds(), recorder, course);
    }
  }

  private static Duration millis(int millis) {
    return Duration.ofMillis(millis);
  }

  @Override
  public void close() throws IOException {
    rows.close();
  }
}
