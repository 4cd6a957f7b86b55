package toystore.lab.load;

import java.io.BufferedReader;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import toystore.clients.load.CallRecorder;
import toystore.clients.load.CallSource;
import toystore.clients.load.ClosedLoop;
import toystore.clients.load.ClosedLoop.Order;
import toystore.clients.load.OpenLoop;
import toystore.clients.load.Scenario;
import toystore.clients.load.ScenarioSetUp;
import toystore.lab.load.CellRows.Place;

/// The program of the load client. It runs the phases of one start and writes a row for each cell,
/// a line of JSON each:
///
/// 1. the set-up of the scenario, and `null`: the cells' numbers of clients against the null
///    server,
/// 2. `cold`: the published pass,
/// 3. `warm-up`: all kinds in turns,
/// 4. `cell warm-up`: the cells without bursts, for a tenth of the warm-up and at least once. They
///    open connections and run code of the load client that the warm-up does not; without this, the
///    first repetitions took longer than the last,
/// 5. `closed`: the cells in the plan's order,
/// 6. `course`: kinds one after the other, a row for each interval,
/// 7. `open`: the open loop.
///
/// Before a cell with another condition it writes a line `condition NAME` to its output and waits
/// for a line with the URL to call.
public final class LoadProgram {
  private static final String BURST = " burst";
  private static final int MAX_SESSIONS = 100; // which more clients share
  private static final Duration OPEN_WARM_UP = Duration.ofSeconds(8);

  private final StartPlan plan;
  private Scenario scenario;
  private final CellRows rows;
  private final BufferedReader in =
      new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
  private final Map<String, CallSource> sources = new HashMap<>(); // of the current URL
  private String condition = "";
  private URI url;

  private LoadProgram(StartPlan plan, CellRows rows) throws IOException {
    this.plan = plan;
    this.scenario = plan.requests();
    this.rows = rows;
    this.url = plan.url();
  }

  /// @param args the file of the [StartPlan] and the file to write
  public static void main(String[] args) throws IOException, InterruptedException {
    StartPlan plan = StartPlan.read(Path.of(args[0]));
    try (var rows = new CellRows(plan, Path.of(args[1]))) {
      new LoadProgram(plan, rows).run();
    }
  }

  private void run() throws IOException, InterruptedException {
    List<String> kinds = plan.cells().stream().flatMap(it -> kinds(it.kind())).distinct().toList();
    scenario = ScenarioSetUp.call(url, scenario, kinds, MAX_SESSIONS);
    if (plan.nullServer() != null) {
      calibrate(plan.nullServer());
    }
    for (StartPlan.ColdCell cell : plan.coldPass()) {
      cold(cell);
    }
    warmUp(kinds.stream().map(this::source).toList());
    warmUpCells();
    for (StartPlan.PlannedCell cell : plan.cells()) {
      apply(cell.condition());
      call("closed", cell);
    }
    apply("");
    course(plan.course());
    if (!plan.openCells().isEmpty()) {
      prepareOpenLoop();
    }
    for (StartPlan.OpenCell cell : plan.openCells()) {
      open(cell.kind(), cell.rate());
    }
  }

  /// The kinds of a cell: `query+buy` has two, `query>buy>order` three.
  private static Stream<String> kinds(String ofCell) {
    return Stream.of(ofCell.replace(BURST, "").split("[+>]"));
  }

  private static boolean isBurst(StartPlan.PlannedCell cell) {
    return cell.kind().endsWith(BURST);
  }

  /// Measures the load client, and warms it up.
  private void calibrate(URI nullServer) throws IOException, InterruptedException {
    List<Integer> numbers =
        plan.cells().stream()
            .filter(it -> !isBurst(it))
            .map(StartPlan.PlannedCell::clients)
            .sorted()
            .distinct()
            .toList();
    for (int clients : numbers) {
      runClosedLoop(
          new Place("null", "null", clients, "", 0, 0), List.of(NullServer.calls(nullServer)));
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

  private void call(String phase, StartPlan.PlannedCell cell)
      throws IOException, InterruptedException {
    var place =
        new Place(phase, cell.kind(), cell.clients(), cell.condition(), 0, cell.repetition());
    List<CallSource> sources = kinds(cell.kind()).map(this::source).toList();
    if (isBurst(cell)) {
      burst(place, sources.getFirst());
    } else if (cell.kind().contains(">")) {
      followUp(place, sources, cell.probability());
    } else {
      runClosedLoop(place, sources);
    }
  }

  private CallSource source(String kind) {
    return sources.computeIfAbsent(kind, it -> new CallSource(url, scenario, it));
  }

  private void cold(StartPlan.ColdCell cell) throws IOException, InterruptedException {
    var recorder = new CallRecorder();
    try (var loop = new ClosedLoop(cell.clients(), plan.seed())) {
      rows.begin();
      double seconds = loop.callCount(source(cell.kind()), cell.calls(), recorder);
      rows.end(new Place("cold", cell.kind(), cell.clients(), "", 0, 0), seconds, recorder);
    }
  }

  private void warmUp(List<CallSource> kinds) throws IOException, InterruptedException {
    try (var loop = new ClosedLoop(plan.warmUpClients(), plan.seed())) {
      var place = new Place("warm-up", "all", plan.warmUpClients(), "", 0, 0);
      interval(loop, kinds, Duration.ofMillis((long) (plan.warmUpSeconds() * 1e3)), place);
    }
    Thread.sleep(plan.pause());
  }

  private void warmUpCells() throws IOException, InterruptedException {
    List<StartPlan.PlannedCell> cells =
        plan.cells().stream().filter(it -> it.repetition() == 1 && !isBurst(it)).toList();
    long until = System.nanoTime() + plan.cellWarmUp().toNanos();
    do {
      for (StartPlan.PlannedCell cell : cells) {
        apply(cell.condition());
        call("cell warm-up", cell);
      }
    } while (!cells.isEmpty() && System.nanoTime() < until);
  }

  private void interval(ClosedLoop loop, List<CallSource> kinds, Duration time, Place place)
      throws IOException, InterruptedException {
    var recorder = new CallRecorder();
    List<CallRecorder> recorders = kinds.stream().map(_ -> recorder).toList();
    double seconds =
        loop.callFor(Order.IN_TURNS, kinds, Duration.ZERO, time, recorders, rows::begin);
    rows.end(place, seconds, recorder);
  }

  private void course(StartPlan.TimeCourse course) throws IOException, InterruptedException {
    int number = 0;
    try (var loop = new ClosedLoop(course.clients(), plan.seed())) {
      for (String kind : course.kinds()) {
        for (int i = 0; i < course.intervals(); i++) {
          var place = new Place("course", kind, course.clients(), "", 0, ++number);
          interval(loop, List.of(source(kind)), Duration.ofMillis(course.millis()), place);
        }
      }
    }
  }

  /// In a cell of several kinds, each has its share of the clients, and the row of the cell is that
  /// of the first.
  private void runClosedLoop(Place cell, List<CallSource> kinds)
      throws IOException, InterruptedException {
    var byPlace = new LinkedHashMap<Place, CallRecorder>();
    var recorders = new ArrayList<CallRecorder>();
    for (int i = 0; i < kinds.size(); i++) {
      Place place = i == 0 ? cell : cell.ofKind(cell.kind() + "#" + i);
      recorders.add(byPlace.computeIfAbsent(place, _ -> new CallRecorder()));
    }
    long seed = plan.seed() + 31L * cell.clients() + cell.repetition();
    try (var loop = new ClosedLoop(cell.clients(), seed)) {
      double seconds =
          loop.callFor(
              Order.APART, kinds, plan.settling(), plan.measuring(), recorders, rows::begin);
      rows.end(byPlace, seconds);
    }
  }

  /// The rows of the first two kinds are those of the measured time, that of the third is of the
  /// look-ups after it.
  private void followUp(Place cell, List<CallSource> kinds, double probability)
      throws IOException, InterruptedException {
    List<String> names = kinds(cell.kind()).toList();
    var byPlace = new LinkedHashMap<Place, CallRecorder>();
    names.subList(0, 2).forEach(it -> byPlace.put(cell.ofKind(it), new CallRecorder()));
    var lookUps = new CallRecorder();
    long seed = plan.seed() + 31L * cell.clients() + cell.repetition();
    try (var loop = new ClosedLoop(cell.clients(), seed)) {
      var followUp =
          new ClosedLoop.FollowUp(
              kinds.get(0), kinds.get(1), probability, scenario.keptOf(names.get(1)));
      double seconds =
          loop.callWithFollowUp(
              followUp,
              plan.settling(),
              plan.measuring(),
              List.copyOf(byPlace.values()),
              rows::begin);
      rows.end(byPlace, seconds);
      rows.begin();
      seconds = loop.callKept(kinds.get(2), lookUps);
      rows.end(cell.ofKind(names.get(2)), seconds, lookUps);
    }
    if (lookUps.firstError() != null) {
      throw new IOException(
          "a client did not find again what it was answered: " + lookUps.firstError());
    }
  }

  private void burst(Place cell, CallSource kind) throws IOException, InterruptedException {
    var recorder = new CallRecorder();
    try (var loop = new ClosedLoop(cell.clients(), plan.seed() + cell.repetition())) {
      double seconds = loop.callAtOnce(kind, recorder, rows::begin);
      rows.end(cell, seconds, recorder);
    }
  }

  /// The sender must not be late: it gets precedence, and its code is compiled beforehand.
  private void prepareOpenLoop() throws IOException, InterruptedException {
    if (!OpenLoop.takePrecedence()) {
      System.err.println("the open loop runs without real-time priority (chrt --fifo)");
    }
    if (plan.nullServer() != null) {
      CallSource nothing = NullServer.calls(plan.nullServer());
      try (var loop = new OpenLoop(nothing, plan.seed())) {
        loop.call(2_000, Duration.ZERO, OPEN_WARM_UP, new CallRecorder(), () -> {});
      }
    }
  }

  private void open(String kind, double rate) throws IOException {
    var recorder = new CallRecorder();
    try (var loop = new OpenLoop(source(kind), plan.seed())) {
      OpenLoop.Course course =
          loop.call(rate, plan.settling(), plan.measuring(), recorder, rows::begin);
      rows.end(new Place("open", kind, 0, "", rate, 0), recorder, course);
    }
  }
}
