package toystore.gatling;

import static io.gatling.javaapi.core.CoreDsl.asLongAs;
import static io.gatling.javaapi.core.CoreDsl.atOnceUsers;
import static io.gatling.javaapi.core.CoreDsl.doIf;
import static io.gatling.javaapi.core.CoreDsl.exec;
import static io.gatling.javaapi.core.CoreDsl.global;
import static io.gatling.javaapi.core.CoreDsl.repeat;
import static io.gatling.javaapi.core.CoreDsl.scenario;
import static io.gatling.javaapi.http.HttpDsl.http;

import io.gatling.javaapi.core.ChainBuilder;
import io.gatling.javaapi.core.PopulationBuilder;
import io.gatling.javaapi.core.ScenarioBuilder;
import io.gatling.javaapi.core.Session;
import io.gatling.javaapi.core.Simulation;
import io.gatling.javaapi.http.HttpProtocolBuilder;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.time.ZonedDateTime;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import toystore.gatling.environment.SkippedException;
import toystore.gatling.environment.StoreProvisioner;
import toystore.gatling.environment.Subject;
import toystore.gatling.report.PublishedResults;
import toystore.gatling.report.Report;
import toystore.gatling.result.RepetitionSummary;
import toystore.gatling.result.RunFolder;

/// Base class of the experiments that Gatling runs. Each repetition measures every cell (subject,
/// number of clients, kind of call) in random order, so that other activity of the machine affects
/// all cells alike.
///
/// ```
///  warm up each store (see SteadyStateDetector)
///  repetition 1, 2, …: all cells, shuffled
///    n clients connect
///      |  a few calls each, not measured
///      +- wait for each other
///      |  the timed calls, one after the other             -> a Sample
///      |  one client alone: calls that request their parts -> Observations
///    n clients disconnect
/// ```
///
/// The model is closed: a client has one call in progress and makes the next one after it has
/// checked the response. Gatling starts all clients at once and never replaces one. The first wrong
/// response stops the run, and no report is written. An interrupted run resumes where it stopped.
public abstract class Experiment extends Simulation {
  /// Calls of each client before its timed calls; they open the connection and fill the store's
  /// caches.
  private static final int FIRST_CALLS = 20;

  private static final int WARMING_CLIENTS = 5;

  private static final Path BUILD =
      Path.of(System.getProperty("toystore.gatling.target", "gatling/target"));

  private final ExperimentDesign design;
  private final LabSettings settings;
  private final ExperimentDesign.Effort effort;
  private final StoreProvisioner environments;
  private final RunFolder run;
  private final List<Subject> subjects;
  private final List<Repetition> repetitions;
  private final Map<URI, MeasuredStore> stores;
  private final LoadClientMonitor loadClient = new LoadClientMonitor();
  private final Progress progress;
  private volatile @Nullable String failure;

  /// Starts the stores that are compared.
  interface Subjects {
    List<Subject> start(StoreProvisioner environments) throws IOException, InterruptedException;
  }

  /// Gatling creates the only instance, then runs the populations that it set up.
  Experiment(ExperimentDesign design, Subjects subjects) {
    this.design = design;
    try {
      settings = settings();
      effort = design.effort(settings);
      environments = new StoreProvisioner(settings.home(), settings.results());
      run = run();
      this.subjects =
          settings.target().isPresent() ? existingStore() : subjects.start(environments);
      repetitions = repetitions();
      stores = stores();
      progress = new Progress(design.name(), repetitions.stream().map(this::plannedCell).toList());
      run.note(RunMetadata.begun(design, settings, effort, this.subjects, run));
    } catch (IOException | InterruptedException | RuntimeException failure) {
      throw exit(failure);
    }
    setUp(sequentially(populations()))
        .protocols(protocol())
        .assertions(global().failedRequests().count().is(0L));
  }

  private static LabSettings settings() {
    return LabSettings.from(System.getProperties(), BUILD, ZonedDateTime.now());
  }

  /// Prints one line and exits with code 1. Gatling would wrap the exception in two stack traces.
  /// No other code runs in this JVM.
  private static Error exit(Exception failure) {
    System.err.println(failure.getMessage() == null ? failure.toString() : failure.getMessage());
    System.exit(failure instanceof SkippedException ? SkippedException.EXIT_CODE : 1);
    return new AssertionError("not reached");
  }

  private RunFolder run() throws IOException {
    return RunFolder.isAt(settings.results())
        ? RunFolder.read(settings.results())
        : RunFolder.create(settings.results(), Map.of("started", RunMetadata.now()));
  }

  /// A store that is already running; listed twice if the experiment compares a store with itself.
  private List<Subject> existingStore() throws SkippedException {
    if (!design.acceptsExistingStore()) {
      throw new SkippedException(
          design.name() + " starts the stores that it compares; it does not support --target");
    }
    var target = environments.existing(settings.target().orElseThrow(), settings.audit());
    return design.targets().stream().map(name -> target.as(name, target.what())).toList();
  }

  /// The repetitions that the run does not have yet, in random order.
  private List<Repetition> repetitions() {
    var all = new ArrayList<Repetition>();
    for (int repetition = 1; repetition <= effort.repetitions(); repetition++) {
      var round = new ArrayList<Repetition>();
      for (Subject subject : subjects) {
        for (int clients : effort.clients().each()) {
          for (CallKind kind : design.kinds()) {
            round.add(new Repetition(repetition, subject, clients, kind));
          }
        }
      }
      Collections.shuffle(round, new Random(repetition)); // a resumed run has the same order
      all.addAll(round);
    }
    all.removeIf(repetition -> run.has(repetition.number(), repetition.cell()));
    return List.copyOf(all);
  }

  private Progress.PlannedCell plannedCell(Repetition repetition) {
    long calls = (long) repetition.cell().clients() * effort.calls(repetition.kind());
    return new Progress.PlannedCell(repetition.number(), repetition.cell(), calls);
  }

  private Map<URI, MeasuredStore> stores() {
    var byUrl = new LinkedHashMap<URI, MeasuredStore>();
    for (Repetition repetition : repetitions) {
      URI url = repetition.subject().url();
      if (!byUrl.containsKey(url)) {
        var stock = new StoreProducts(url).inStock(settings.product());
        byUrl.put(url, new MeasuredStore(url, new ProductSelector(stock, needed(url))));
      }
    }
    return byUrl;
  }

  private long needed(URI url) {
    return repetitions.stream()
        .filter(
            repetition -> repetition.subject().url().equals(url) && repetition.kind().takesStock())
        .mapToLong(repetition ->
            (long) repetition.cell().clients()
                    * (firstCalls(repetition.kind()) + effort.calls(repetition.kind()))
                + effort.callsWithParts())
        .sum();
  }

  private int firstCalls(CallKind kind) {
    return Math.min(FIRST_CALLS, effort.calls(kind));
  }

  private List<PopulationBuilder> populations() {
    var populations = new ArrayList<PopulationBuilder>();
    int number = 0;
    for (MeasuredStore store : stores.values()) {
      populations.add(warmUp(++number, store));
      populations.add(warmUpWithParts(number, store));
    }
    repetitions.forEach(repetition -> populations.add(population(repetition)));
    if (populations.isEmpty()) {
      populations.add(
          scenario("nothing left to measure").exec(it -> it).injectOpen(atOnceUsers(1)));
    }
    return populations;
  }

  private static PopulationBuilder sequentially(List<PopulationBuilder> populations) {
    PopulationBuilder chain = populations.getLast();
    for (PopulationBuilder earlier : populations.reversed().subList(1, populations.size())) {
      chain = earlier.andThen(chain);
    }
    return chain;
  }

  private static HttpProtocolBuilder protocol() {
    return http.acceptHeader("application/json")
        .userAgentHeader("toystore-gatling")
        .disableCaching()
        .disableFollowRedirect()
        .disableUrlEncoding()
        .disableWarmUp();
  }

  private PopulationBuilder warmUp(int number, MeasuredStore store) {
    var warmUp = new SteadyStateDetector(effort.warmUp());
    var calls =
        warming(
            store, kind -> TimedHttpCalls.timed(kind, store, "warm-up " + kind.label(), warmUp));
    return scenario("warm-up " + number)
        .exec(SimulatedClient::addTo)
        .exec(action(() -> progress.warmingUp(number, stores.size())))
        .exec(asLongAs(_ -> !warmUp.done()).on(calls))
        .injectOpen(atOnceUsers(WARMING_CLIENTS));
  }

  /// One call of each kind, while there is stock for the warm-up.
  private ChainBuilder warming(MeasuredStore store, Function<CallKind, ChainBuilder> call) {
    return exec(
        design.kinds().stream()
            .map(kind ->
                doIf(_ -> !kind.takesStock() || store.allocation().reserveForWarmUp())
                    .then(checked(call.apply(kind))))
            .toList());
  }

  /// Calls that request their parts run code of the store that the other calls do not warm up.
  private PopulationBuilder warmUpWithParts(int number, MeasuredStore store) {
    var calls =
        warming(
            store,
            kind ->
                TimedHttpCalls.withParts(
                    kind, store, "warm-up with parts", new ServerTimingParts()));
    return scenario("warm-up with parts " + number)
        .exec(SimulatedClient::addTo)
        .exec(repeat(effort.warmUp() / 10).on(calls))
        .injectOpen(atOnceUsers(1));
  }

  private PopulationBuilder population(Repetition repetition) {
    CallKind kind = repetition.kind();
    int clients = repetition.cell().clients();
    MeasuredStore store = Objects.requireNonNull(stores.get(repetition.subject().url()));
    String name =
        "%s, %d clients, %s".formatted(repetition.subject().name(), clients, kind.label());
    ScenarioBuilder scenario =
        scenario("%s, repetition %d".formatted(name, repetition.number()))
            .exec(SimulatedClient::addTo)
            .exec(action(() -> enter(repetition)))
            .rendezVous(clients)
            .exec(
                repeat(firstCalls(kind))
                    .on(
                        checked(
                            TimedHttpCalls.timed(
                                kind, store, name + ", first calls", (_, _) -> {}))))
            .rendezVous(clients)
            .exec(session -> begin(repetition, session))
            .exec(
                repeat(effort.calls(kind))
                    .on(checked(TimedHttpCalls.timed(kind, store, name, repetition))))
            .exec(action(() -> end(repetition)));
    return (clients == 1 ? scenario.exec(parts(repetition, store, name)) : scenario)
        .exec(action(() -> store(repetition)))
        .injectOpen(atOnceUsers(clients));
  }

  private ChainBuilder checked(ChainBuilder call) {
    return call.stopLoadGeneratorIf("a response failed its check", this::isWrong);
  }

  private boolean isWrong(Session session) {
    if (session.isFailed() && failure == null) {
      failure = "a response failed its check; see Gatling's report for the request";
    }
    return session.isFailed();
  }

  private interface Action {
    void run() throws IOException;
  }

  /// Runs code between calls. If it fails, the run fails.
  private ChainBuilder action(Action action) {
    return exec(
            session -> {
              try {
                action.run();
                return session;
              } catch (IOException | RuntimeException wrong) {
                failure = wrong.toString();
                return session.markAsFailed();
              }
            })
        .stopLoadGeneratorIf("the experiment failed", this::isWrong);
  }

  private void enter(Repetition repetition) {
    if (repetition.isFirstToEnter()) {
      repetition.subject().beforeCell().run();
      if (repetition.cell().clients() == 1) {
        repetition
            .subject()
            .roundTrips()
            .get()
            .forEach((name, time) -> repetition.observe(name, time.toNanos() / 1e3, "µs"));
      }
    }
  }

  private Session begin(Repetition repetition, Session session) {
    SimulatedClient.of(session).resetGap();
    if (repetition.isFirstToStart()) {
      loadClient.begin();
    }
    return session;
  }

  private void end(Repetition repetition) {
    if (repetition.isLastToFinish()) {
      repetition.finish(loadClient.end(repetition.meanGapMicros()));
    }
  }

  /// Calls with parts, made after the timed calls so that their overhead does not affect those.
  private ChainBuilder parts(Repetition repetition, MeasuredStore store, String name) {
    var parts = new ServerTimingParts();
    var before = new MetricCounters[1];
    List<URI> pages = repetition.subject().metrics();
    return exec(action(() -> before[0] = MetricCounters.of(pages)))
        .exec(
            repeat(effort.callsWithParts())
                .on(
                    checked(
                        TimedHttpCalls.withParts(
                            repetition.kind(), store, name + ", with parts", parts))))
        .exec(
            action(() -> {
              parts
                  .means()
                  .forEach((part, micros) -> repetition.observe("part." + part, micros, "µs"));
              MetricCounters now = MetricCounters.of(pages);
              now.callsPerRequest(before[0], effort.callsWithParts())
                  .forEach((method, each) -> repetition.observe("calls." + method, each, "calls"));
              if (now.syncMicros(before[0]) > 0) {
                repetition.observe("part.sync", now.syncMicros(before[0]), "µs");
              }
            }));
  }

  /// Stores the sample of a repetition after all its clients have finished.
  private void store(Repetition repetition) throws IOException {
    RepetitionSummary sample = repetition.sample();
    if (sample == null || failure != null || !repetition.isFirstToStore()) {
      return;
    }
    long wanted = plannedCell(repetition).calls();
    if (sample.count() != wanted) {
      throw new IllegalStateException(
          "%s: expected %d responses, received %d"
              .formatted(repetition.cell(), wanted, sample.count()));
    }
    run.add(sample, repetition.micros(), repetition.observations());
    progress.measured(sample);
  }

  /// Called by Gatling after the last client has finished, before Gatling's own report and
  /// assertions.
  @Override
  public void after() {
    try {
      if (failure == null) {
        audit();
      }
      String reason = failure;
      if (reason != null) {
        run.note(Map.of("failed", reason));
        throw new IllegalStateException("the run failed; no report was written: " + reason);
      }
      run.note(Map.of("finished", RunMetadata.now()));
      progress.done(settings.target().isEmpty() || settings.audit().isPresent());
      if (settings.home().isEmpty()) { // otherwise the lab writes the report
        System.out.println("\n" + Report.write(run, PublishedResults.read(published()), null));
      }
    } catch (IOException e) {
      throw new IllegalStateException(settings.results() + ": cannot write results: " + e, e);
    } finally {
      environments.close();
    }
  }

  private static Path published() {
    return BUILD.resolve("../../docs/evaluation/published.csv");
  }

  /// The audit of every store must pass after the load.
  private void audit() throws IOException {
    for (Subject subject : subjects) {
      String verdict = subject.audit().map(RunMetadata::verdict).orElse("not asked");
      run.note(Map.of("audit." + subject.name(), verdict));
      if (verdict.startsWith("wrong")) {
        failure = "audit of " + subject.name() + " failed: " + verdict;
      }
    }
  }
}
