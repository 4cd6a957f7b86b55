package toystore.lab.simulation;

import static io.gatling.javaapi.core.CoreDsl.atOnceUsers;
import static io.gatling.javaapi.core.CoreDsl.details;
import static io.gatling.javaapi.core.CoreDsl.during;
import static io.gatling.javaapi.core.CoreDsl.exec;
import static io.gatling.javaapi.core.CoreDsl.global;
import static io.gatling.javaapi.core.CoreDsl.group;
import static io.gatling.javaapi.core.CoreDsl.repeat;
import static io.gatling.javaapi.core.CoreDsl.scenario;

import io.gatling.javaapi.core.Assertion;
import io.gatling.javaapi.core.PopulationBuilder;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.IntStream;
import toystore.lab.load.CellRows;
import toystore.lab.load.StartPlan;

/// The scenarios of one start, in the order in which they are added. Each has its own clients, who
/// send their next request after the response to the previous one.
final class StartPhases {
  private final StartPlan plan;
  private final CellRows rows;
  private final CallTimer timer;
  private final List<PopulationBuilder> scenarios = new ArrayList<>();
  private final List<Assertion> assertions = new ArrayList<>();

  StartPhases(SimulationPlan simulation, CallTimer timer) {
    this.plan = simulation.plan();
    this.rows = simulation.rows();
    this.timer = timer;
    assertions.add(global().failedRequests().count().is(0L));
  }

  /// The fewest and the most clients against a server that does nothing: the time of the load
  /// client itself.
  void nullServer(StoreCalls calls) {
    IntStream clients = plan.cells().stream().mapToInt(StartPlan.PlannedCell::clients);
    var range = clients.summaryStatistics();
    URI nullServer = plan.nullServer();
    if (nullServer != null && range.getCount() > 0) {
      var nothing = ClientLoad.of("null", calls.nothing(nullServer));
      IntStream.of(range.getMin(), range.getMax())
          .distinct()
          .forEach(it -> timed(new CellRows.Place("null", "null", it, "", 0, 0), nothing, 0));
    }
  }

  /// A published number of calls of each client. What is asked for is what is sent.
  void published(ClientLoad load, int clients, int calls) {
    String name =
        String.format(Locale.ROOT, "published pass: %s, %d clients", load.name(), clients);
    var place = new CellRows.Place("cold", load.name(), clients, "", 0, 0);
    var measured = new MeasuredScenario(place, load.rowKinds(), 0, rows, timer);
    scenarios.add(
        scenario(name)
            .exec(measured::enter)
            .rendezVous(clients)
            .exec(measured::begin)
            .exec(repeat(calls).on(group(name).on(load.call())))
            .exec(measured::leave)
            .injectOpen(atOnceUsers(clients)));
    assertions.add(details(name).allRequests().count().is((long) clients * calls));
  }

  /// A fixed time of mixed load, with a row for each second, and a pause.
  void warmUp(List<ClientLoad> loads) {
    if (plan.warmUpSeconds() == 0) {
      return;
    }
    var rowKinds = new HashMap<String, String>();
    loads.forEach(load -> load.rowKinds().keySet().forEach(kind -> rowKinds.put(kind, "all")));
    var place = new CellRows.Place("warm-up", "all", plan.warmUpClients(), "", 0, 0);
    var measured =
        new MeasuredScenario(place, Map.copyOf(rowKinds), plan.traceEvery(), rows, timer);
    scenarios.add(
        scenario("warm-up")
            .exec(measured::enter)
            .exec(measured::begin)
            .exec(
                during(Duration.ofMillis((long) (plan.warmUpSeconds() * 1e3)))
                    .on(
                        exec(measured::everySecond),
                        exec(loads.stream().map(ClientLoad::call).toList())))
            .pause(plan.pause())
            .injectOpen(atOnceUsers(plan.warmUpClients())));
  }

  /// A cell that is measured for a fixed time.
  void closed(ClientLoad load, int clients, int repetition) {
    timed(
        new CellRows.Place("closed", load.name(), clients, "", 0, repetition),
        load,
        plan.traceEvery());
  }

  private void timed(CellRows.Place place, ClientLoad load, int traceEvery) {
    var measured = new MeasuredScenario(place, load.rowKinds(), traceEvery, rows, timer);
    scenarios.add(
        scenario(
                String.format(
                    Locale.ROOT,
                    "%s: %s, %d clients, repetition %d",
                    place.phase(),
                    load.name(),
                    place.clients(),
                    place.repetition()))
            .exec(measured::enter)
            .exec(during(Duration.ofMillis(plan.settlingMillis())).on(load.call()))
            .rendezVous(place.clients())
            .exec(measured::begin)
            .exec(during(Duration.ofMillis(plan.measuringMillis())).on(load.call()))
            .exec(measured::leave)
            .injectOpen(atOnceUsers(place.clients())));
  }

  /// The scenarios, one after the other.
  PopulationBuilder inOrder() {
    PopulationBuilder chain = scenarios.getLast();
    for (PopulationBuilder earlier : scenarios.reversed().subList(1, scenarios.size())) {
      chain = earlier.andThen(chain);
    }
    return chain;
  }

  /// No response is wrong, and the published pass had as many calls as asked.
  List<Assertion> assertions() {
    return List.copyOf(assertions);
  }
}
