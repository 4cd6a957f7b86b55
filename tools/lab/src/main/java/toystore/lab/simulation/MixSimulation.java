package toystore.lab.simulation;

import static io.gatling.javaapi.core.CoreDsl.percent;
import static io.gatling.javaapi.core.CoreDsl.randomSwitch;

import io.gatling.javaapi.core.Simulation;
import java.util.List;
import java.util.Map;
import toystore.lab.load.StartPlan;

/// A mixed load of 1 to 5 and 20 clients: for each request, a client picks a query (80 %) or a buy
/// (20 %) at random. Each number of clients is a scenario of its own, in the order of
/// [QueryVsBuySimulation]. A scenario gives a row for the queries and a row for the buys.
///
/// Alone, each client makes 1,000 requests. `-Drequests` and `-Dclients` change it.
public final class MixSimulation extends Simulation {
  private final SimulationPlan simulation =
      SimulationPlan.read(
          List.of(1, 2, 3, 4, 5, 20),
          clients ->
              List.of(
                  new StartPlan.ColdCell("mix", clients, Integer.getInteger("requests", 1_000))));
  private final StartPlan plan = simulation.plan();
  private final StoreCalls calls = new StoreCalls(simulation);
  private final ClientLoad mix =
      new ClientLoad(
          "mix",
          randomSwitch().on(percent(80).then(calls.query), percent(20).then(calls.buy)),
          Map.of("query", "query", "buy", "buy"));

  public MixSimulation() {
    var phases = new StartPhases(simulation, calls.timer);
    phases.nullServer(calls);
    plan.coldPass().forEach(it -> phases.published(mix, it.clients(), it.calls()));
    phases.warmUp(List.of(mix));
    plan.cells().stream() // the plan has a cell for each kind
        .map(it -> new StartPlan.PlannedCell("closed", it.repetition(), "mix", it.clients(), ""))
        .distinct()
        .forEach(it -> phases.closed(mix, it.clients(), it.repetition()));
    setUp(phases.inOrder()).protocols(calls.protocol).assertions(phases.assertions());
  }
}
