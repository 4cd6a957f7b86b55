package toystore.lab.run;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Stream;
import org.apache.commons.io.FileUtils;
import org.jspecify.annotations.Nullable;
import toystore.clients.load.CallRecorder;
import toystore.clients.load.CallSource;
import toystore.clients.load.ClosedLoop;
import toystore.clients.load.ClosedLoop.Order;
import toystore.clients.load.OpenLoop;
import toystore.clients.load.Scenario;
import toystore.clients.load.ScenarioSetUp;
import toystore.lab.load.CellRow;
import toystore.lab.load.CellRows;
import toystore.lab.load.CellRows.Place;
import toystore.lab.load.NullServer;
import toystore.lab.run.ExperimentPlan.ColdCell;
import toystore.lab.run.ExperimentPlan.TimeCourse;

/// One start of a subject and the load that is sent to it, in phases, with a row for each cell:
///
/// 1. the set-up of the scenario, and `null`: the cells' numbers of clients against the null
///    server,
/// 2. `cold`: the published pass,
/// 3. `warm-up`: all kinds in turns,
/// 4. `cell warm-up`: the cells without bursts, for a tenth of the warm-up and at least once. They
///    open connections and run code of the load client that the warm-up does not; without this, the
///    first repetitions took longer than the last,
/// 5. `closed`: the cells, in random order in each repetition,
/// 6. `course`: kinds one after the other, a row for each interval,
/// 7. `open`: the open loop, whose rates are shares of the highest that the closed loop reached.
///
/// It is a process of its own: [toystore.lab.StartCommand]. One thread.
public final class StartRun {
  /// Options of its JVM.
  public static final List<String> FLAGS =
      List.of(
          "-Xms512m",
          "-Xmx1g", // the buffers of 18,000 connections
          "-XX:+UseSerialGC",
          "--enable-native-access=ALL-UNNAMED",
          "--sun-misc-unsafe-memory-access=allow");

  private static final String BURST = " burst";
  private static final int MAX_SESSIONS = 100; // which more clients share
  private static final Duration OPEN_WARM_UP = Duration.ofSeconds(8);

  private final ExperimentPlan plan;
  private final Subject subject;
  private final RunningSubject running;
  private final @Nullable URI nullServer;
  private final long seed;
  private final List<PlannedCell> cells;
  private final CellRows rows;
  private final Map<String, CallSource> sources = new HashMap<>(); // of the current URL
  private Scenario scenario;
  private String condition = "";
  private URI url;

  /// A cell of one repetition.
  ///
  /// @param repetition from 1
  /// @param probability of a follow-up, 0 to 1
  private record PlannedCell(
      int repetition, String kind, int clients, String condition, double probability) {}

  private StartRun(
      ExperimentPlan plan,
      Subject subject,
      RunningSubject running,
      @Nullable URI nullServer,
      long seed)
      throws IOException {
    this.plan = plan;
    this.subject = subject;
    this.running = running;
    this.nullServer = nullServer;
    this.seed = seed;
    this.cells = cells(new Random(seed));
    this.rows = new CellRows(running.pids, running.metrics);
    this.scenario = plan.requests().with(running.values);
    this.url = running.url();
  }

  /// @param block from 1
  /// @param start order in the block, from 1
  /// @param nullServer URL of the null server; null: the load client is not calibrated
  public static List<CellRow> measure(
      ExperimentPlan plan, Subject subject, int block, int start, @Nullable URI nullServer)
      throws IOException, InterruptedException {
    Path folder = Files.createTempDirectory(subject.parentFolder(), "toystore-lab-");
    try (RunningSubject running = subject.start(folder)) {
      long seed = plan.seed() * 1_000_003 + 101L * block + start;
      var run = new StartRun(plan, subject, running, nullServer, seed);
      run.runPhases();
      return run.rows.all();
    } finally {
      FileUtils.deleteDirectory(folder.toFile());
    }
  }

  /// All cells of the subject in random order, once for each repetition.
  private List<PlannedCell> cells(Random random) {
    var cells = new ArrayList<PlannedCell>();
    for (int repetition = 1; repetition <= plan.repetitions(); repetition++) {
      int number = repetition;
      var order =
          new ArrayList<>(
              plan.cells(subject.name()).stream()
                  .filter(it -> subject.hasCondition(it.condition()))
                  .map(it ->
                      new PlannedCell(
                          number,
                          plan.called(it.kind()),
                          it.clients(),
                          it.condition(),
                          StoreCondition.probability(it.condition())))
                  .distinct()
                  .toList());
      Collections.shuffle(order, random);
      cells.addAll(order);
    }
    return cells;
  }

  private void runPhases() throws IOException, InterruptedException {
    List<String> kinds = cells.stream().flatMap(it -> kinds(it.kind())).distinct().toList();
    scenario = ScenarioSetUp.call(url, scenario, kinds, MAX_SESSIONS);
    if (nullServer != null) {
      calibrate(nullServer);
    }
    for (ColdCell cell : plan.coldPass()) {
      cold(cell);
    }
    warmUp(kinds.stream().map(this::source).toList());
    warmUpCells();
    for (PlannedCell cell : cells) {
      apply(cell.condition());
      call("closed", cell);
    }
    apply("");
    course(plan.course());
    if (!plan.openShares().isEmpty()) {
      openLoop();
    }
    rejectIfAllWrong();
  }

  /// The kinds of a cell: `query+buy` has two, `query>buy>order` three.
  private static Stream<String> kinds(String ofCell) {
    return Stream.of(ofCell.replace(BURST, "").split("[+>]"));
  }

  private static boolean isBurst(PlannedCell cell) {
    return cell.kind().endsWith(BURST);
  }

  /// Measures the load client, and warms it up.
  private void calibrate(URI nullServer) throws IOException, InterruptedException {
    List<Integer> numbers =
        cells.stream()
            .filter(it -> !isBurst(it))
            .map(PlannedCell::clients)
            .sorted()
            .distinct()
            .toList();
    for (int clients : numbers) {
      runClosedLoop(
          new Place("null", "null", clients, "", 0, 0), List.of(NullServer.calls(nullServer)));
    }
  }

  private void apply(String wanted) throws IOException {
    if (!wanted.equals(condition)) {
      url = running.apply(wanted);
      condition = wanted;
      sources.clear();
    }
  }

  private void call(String phase, PlannedCell cell) throws IOException, InterruptedException {
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

  private void cold(ColdCell cell) throws IOException, InterruptedException {
    var recorder = new CallRecorder();
    try (var loop = new ClosedLoop(cell.clients(), seed)) {
      rows.begin();
      double seconds = loop.callCount(source(cell.kind()), cell.calls(), recorder);
      rows.end(new Place("cold", cell.kind(), cell.clients(), "", 0, 0), seconds, recorder);
    }
  }

  /// After it, the subject gets a sixth of its time without requests, in which it compiles what is
  /// in its compilers' queues.
  private void warmUp(List<CallSource> kinds) throws IOException, InterruptedException {
    double warmUpMillis = subject.warmUpSeconds(plan.warmUpSeconds()) * 1e3;
    try (var loop = new ClosedLoop(plan.warmUpClients(), seed)) {
      var place = new Place("warm-up", "all", plan.warmUpClients(), "", 0, 0);
      interval(loop, kinds, millis(warmUpMillis), place);
    }
    Thread.sleep(millis(warmUpMillis / 6));
  }

  private static Duration millis(double millis) {
    return Duration.ofMillis((long) millis);
  }

  private void warmUpCells() throws IOException, InterruptedException {
    List<PlannedCell> first =
        cells.stream().filter(it -> it.repetition() == 1 && !isBurst(it)).toList();
    long until =
        System.nanoTime()
            + millis(subject.warmUpSeconds(plan.warmUpSeconds()) * 1e3 / 10).toNanos();
    do {
      for (PlannedCell cell : first) {
        apply(cell.condition());
        call("cell warm-up", cell);
      }
    } while (!first.isEmpty() && System.nanoTime() < until);
  }

  private void interval(ClosedLoop loop, List<CallSource> kinds, Duration time, Place place)
      throws IOException, InterruptedException {
    var recorder = new CallRecorder();
    List<CallRecorder> recorders = kinds.stream().map(_ -> recorder).toList();
    double seconds =
        loop.callFor(Order.IN_TURNS, kinds, Duration.ZERO, time, recorders, rows::begin);
    rows.end(place, seconds, recorder);
  }

  private void course(TimeCourse course) throws IOException, InterruptedException {
    int number = 0;
    try (var loop = new ClosedLoop(course.clients(), seed)) {
      for (String kind : course.kinds()) {
        for (int i = 0; i < course.intervals(); i++) {
          var place = new Place("course", kind, course.clients(), "", 0, ++number);
          interval(loop, List.of(source(kind)), millis(course.millis()), place);
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
    try (var loop = loop(cell)) {
      double seconds =
          loop.callFor(
              Order.APART,
              kinds,
              millis(plan.settlingMillis()),
              millis(plan.measuringMillis()),
              recorders,
              rows::begin);
      rows.end(byPlace, seconds);
    }
  }

  private ClosedLoop loop(Place cell) {
    return new ClosedLoop(cell.clients(), seed + 31L * cell.clients() + cell.repetition());
  }

  /// The rows of the first two kinds are those of the measured time, that of the third is of the
  /// look-ups after it.
  private void followUp(Place cell, List<CallSource> kinds, double probability)
      throws IOException, InterruptedException {
    List<String> names = kinds(cell.kind()).toList();
    var byPlace = new LinkedHashMap<Place, CallRecorder>();
    names.subList(0, 2).forEach(it -> byPlace.put(cell.ofKind(it), new CallRecorder()));
    var lookUps = new CallRecorder();
    try (var loop = loop(cell)) {
      var followUp =
          new ClosedLoop.FollowUp(
              kinds.get(0), kinds.get(1), probability, scenario.keptOf(names.get(1)));
      double seconds =
          loop.callWithFollowUp(
              followUp,
              millis(plan.settlingMillis()),
              millis(plan.measuringMillis()),
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
    try (var loop = new ClosedLoop(cell.clients(), seed + cell.repetition())) {
      double seconds = loop.callAtOnce(kind, recorder, rows::begin);
      rows.end(cell, seconds, recorder);
    }
  }

  /// The sender must not be late: it gets precedence, and its code is compiled beforehand.
  private void openLoop() throws IOException, InterruptedException {
    if (!OpenLoop.takePrecedence()) {
      System.err.println("the open loop runs without real-time priority (chrt --fifo)");
    }
    if (nullServer != null) {
      try (var loop = new OpenLoop(NullServer.calls(nullServer), seed)) {
        loop.call(2_000, Duration.ZERO, OPEN_WARM_UP, new CallRecorder(), () -> {});
      }
    }
    for (String kind : plan.kinds()) {
      double highest =
          rows.all().stream()
              .filter(it -> it.phase().equals("closed") && it.kind().equals(kind))
              .mapToDouble(it -> it.count() / it.seconds())
              .max()
              .orElse(0);
      for (double share : plan.openShares()) {
        open(kind, share * highest);
      }
    }
  }

  private void open(String kind, double rate) throws IOException {
    var recorder = new CallRecorder();
    try (var loop = new OpenLoop(source(kind), seed)) {
      OpenLoop.Course course =
          loop.call(
              rate,
              millis(plan.settlingMillis()),
              millis(plan.measuringMillis()),
              recorder,
              rows::begin);
      rows.end(new Place("open", kind, 0, "", rate, 0), recorder, course);
    }
  }

  /// A cell without a correct response has no latency; mostly a check of the scenario is wrong.
  private void rejectIfAllWrong() throws IOException {
    for (CellRow row : rows.all()) {
      if (row.count() == 0 && row.errors() > 0 && !row.phase().equals("open")) {
        String none = "none of " + row.errors() + " responses to " + row.kind() + " was correct: ";
        throw new IOException(plan.name() + ": " + none + row.firstError());
      }
    }
  }
}
