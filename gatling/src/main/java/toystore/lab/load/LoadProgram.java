package toystore.lab.load;

import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.io.Writer;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.HistogramLogWriter;
import org.jspecify.annotations.Nullable;

/// The program of the load client. It runs the phases of one start and writes a row for each cell,
/// a line of JSON each:
///
/// 1. `null`: the cells' numbers of clients against the null server,
/// 2. `cold`: the published pass,
/// 3. the warm-up, not recorded,
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
  private final Writer rows;
  private final CellMeter meter;
  private final Map<String, CallSource> sources = new HashMap<>();
  private final Map<String, Double> maxRate = new HashMap<>();

  private LoadProgram(StartPlan plan, Scenario scenario, Writer rows) {
    this.plan = plan;
    this.scenario = scenario;
    this.rows = rows;
    this.meter = new CellMeter(plan.pids(), plan.metrics());
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
    try (var program = new LoadProgram(plan, scenario, Files.newBufferedWriter(Path.of(args[1])))) {
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
    double since = sinceReady();
    try (var loop = new ClosedLoop(plan.url(), cell.clients(), plan.seed(), 0)) {
      meter.begin();
      double seconds = loop.callCount(source(cell.kind()), cell.calls(), recorder);
      write("cold", cell.kind(), cell.clients(), 0, 0, since, seconds, recorder, null);
    }
  }

  private void warmUp() throws IOException, InterruptedException {
    List<CallSource> kinds =
        plan.cells().stream().map(it -> it.kind()).distinct().map(this::source).toList();
    try (var loop =
        new ClosedLoop(plan.url(), plan.warmUpClients(), plan.seed(), plan.traceEvery())) {
      var time = Duration.ofNanos((long) (plan.warmUpSeconds() * 1e9));
      loop.callFor(kinds, time, Duration.ZERO, new CallRecorder(), () -> {});
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
    double since = sinceReady();
    try (var loop = new ClosedLoop(url, clients, seed, traceEvery)) {
      double seconds =
          loop.callFor(
              List.of(source),
              millis(plan.settlingMillis()),
              millis(plan.measuringMillis()),
              recorder,
              meter::begin);
      return write(phase, kind, clients, 0, repetition, since, seconds, recorder, null);
    }
  }

  private void open(String kind, double perSecond) throws IOException, InterruptedException {
    var recorder = new CallRecorder();
    double since = sinceReady();
    try (var loop = new OpenLoop(plan.url())) {
      OpenLoop.Course course =
          loop.call(
              source(kind),
              perSecond,
              millis(plan.settlingMillis()),
              millis(plan.measuringMillis()),
              plan.seed(),
              recorder,
              meter::begin);
      write("open", kind, 0, perSecond, 0, since, course.seconds(), recorder, course);
    }
  }

  private static Duration millis(int millis) {
    return Duration.ofMillis(millis);
  }

  private double sinceReady() {
    return (System.currentTimeMillis() - plan.readyMillis()) / 1e3;
  }

  private double write(
      String phase,
      String kind,
      int clients,
      double rate,
      int repetition,
      double since,
      double seconds,
      CallRecorder recorder,
      OpenLoop.@Nullable Course course)
      throws IOException {
    Histogram latencies = recorder.latencies();
    long count = latencies.getTotalCount();
    var row =
        new CellRow(
            phase,
            kind,
            clients,
            rate,
            repetition,
            since,
            seconds,
            count,
            course == null ? count : course.completed(),
            recorder.errors(),
            recorder.firstError(),
            count == 0 ? 0 : latencies.getMean(),
            recorder.lateness().getValueAtPercentile(99),
            course == null ? List.of() : course.backlog(),
            meter.end(),
            recorder.traced(),
            recorder.partsMicros(),
            line(latencies));
    rows.write(JSON.writeValueAsString(row) + "\n");
    rows.flush();
    return count / seconds;
  }

  private static String line(Histogram histogram) {
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
