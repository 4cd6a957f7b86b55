package toystore.lab.load;

import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.BufferedReader;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// The program of the load client. It runs the phases of one start and writes a row for each cell,
/// a line of JSON each:
///
/// 1. `null`: the cells' numbers of clients against the null server,
/// 2. `cold`: the published pass,
/// 3. `warm-up`: all kinds in turns, a row for each second,
/// 4. `closed` or `own`: the cells in the plan's order,
/// 5. `open`: the open loop.
///
/// Before a cell with another condition it writes a line `condition NAME` to its output and waits
/// for a line with the URL to call.
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
  private final BufferedReader in =
      new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
  private final Map<String, CallSource> sources = new HashMap<>(); // of the current URL
  private String condition = "";
  private URI url;

  private LoadProgram(StartPlan plan, Scenario scenario, CellRows rows) {
    this.plan = plan;
    this.scenario = scenario;
    this.rows = rows;
    this.url = plan.url();
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
    if (plan.nullServer() != null) {
      calibrate(plan.nullServer());
    }
    for (StartPlan.ColdCell cell : plan.coldPass()) {
      cold(cell);
    }
    warmUp();
    for (StartPlan.PlannedCell cell : plan.cells()) {
      apply(cell.condition());
      closed(
          new CellRows.Place(
              cell.phase(), cell.kind(), cell.clients(), cell.condition(), 0, cell.repetition()),
          source(cell.kind()),
          plan.traceEvery());
    }
    apply("");
    for (StartPlan.OpenCell cell : plan.openCells()) {
      open(cell.kind(), cell.rate());
    }
  }

  /// Measures the load client, and warms it up. The rows of a loop that repeats cells of a
  /// simulation lie beside these cells, as kind `null`.
  private void calibrate(URI nullServer) throws IOException, InterruptedException {
    var nothing = new CallSource(nullServer, EMPTY_REQUEST, "null");
    boolean own = plan.cells().stream().anyMatch(it -> it.phase().equals("own"));
    String phase = own ? "own" : "null";
    for (int clients : plan.cells().stream().map(it -> it.clients()).sorted().distinct().toList()) {
      closed(new CellRows.Place(phase, "null", clients, "", 0, 0), nothing, 0);
    }
  }

  private void apply(String wanted) throws IOException {
    if (wanted.equals(condition)) {
      return;
    }
    System.out.println("condition " + wanted);
    String line = in.readLine();
    if (line == null) {
      throw new EOFException("expected the URL of condition " + wanted);
    }
    url = URI.create(line);
    condition = wanted;
    sources.clear();
  }

  private CallSource source(String kind) {
    return sources.computeIfAbsent(kind, it -> new CallSource(url, scenario, it));
  }

  private void cold(StartPlan.ColdCell cell) throws IOException, InterruptedException {
    var recorder = new CallRecorder();
    try (var loop = new ClosedLoop(cell.clients(), plan.seed(), 0)) {
      rows.begin();
      double seconds = loop.callCount(source(cell.kind()), cell.calls(), recorder);
      rows.end(
          new CellRows.Place("cold", cell.kind(), cell.clients(), "", 0, 0), seconds, recorder);
    }
  }

  /// Writes a row for each second, which show whether the subject has warmed up.
  private void warmUp() throws IOException, InterruptedException {
    List<CallSource> kinds =
        plan.cells().stream().map(it -> it.kind()).distinct().map(this::source).toList();
    var place = new CellRows.Place("warm-up", "all", plan.warmUpClients(), "", 0, 0);
    try (var loop = new ClosedLoop(plan.warmUpClients(), plan.seed(), plan.traceEvery())) {
      for (int second = 0; second < plan.warmUpSeconds(); second++) {
        var recorder = new CallRecorder();
        double seconds =
            loop.callFor(kinds, Duration.ZERO, Duration.ofSeconds(1), recorder, rows::begin);
        rows.end(place, seconds, recorder);
      }
    }
  }

  private void closed(CellRows.Place cell, CallSource source, int traceEvery)
      throws IOException, InterruptedException {
    var recorder = new CallRecorder();
    long seed = plan.seed() + 31L * cell.clients() + cell.repetition();
    try (var loop = new ClosedLoop(cell.clients(), seed, traceEvery)) {
      double seconds =
          loop.callFor(
              List.of(source),
              millis(plan.settlingMillis()),
              millis(plan.measuringMillis()),
              recorder,
              rows::begin);
      rows.end(cell, seconds, recorder);
    }
  }

  private void open(String kind, double rate) throws IOException, InterruptedException {
    var recorder = new CallRecorder();
    CallSource source = source(kind);
    try (var loop = new OpenLoop(source.url())) {
      OpenLoop.Course course =
          loop.call(
              source,
              rate,
              millis(plan.settlingMillis()),
              millis(plan.measuringMillis()),
              plan.seed(),
              recorder,
              rows::begin);
      rows.end(
          new CellRows.Place("open", kind, 0, "", rate, 0), course.seconds(), recorder, course);
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
