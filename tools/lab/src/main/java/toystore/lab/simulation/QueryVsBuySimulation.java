package toystore.lab.simulation;

import io.gatling.javaapi.core.Simulation;
import java.util.List;
import toystore.lab.load.StartPlan;

/// Queries (`GET /products/NAME`) and buys (`POST /orders`) by 1 to 5 clients. Each kind and number
/// of clients is a scenario of its own; one follows the other:
///
/// 1. the null server, which measures the load client,
/// 2. the published pass: each client makes 1,000 queries, or 100 buys,
/// 3. a warm-up with both kinds,
/// 4. the cells in random order, for a fixed time each.
///
/// Alone, it runs the published pass. `-Dqueries`, `-Dbuys` and `-Dclients` change it.
public final class QueryVsBuySimulation extends Simulation {
  private final SimulationPlan simulation =
      SimulationPlan.read(
          List.of(1, 2, 3, 4, 5),
          clients ->
              List.of(
                  new StartPlan.ColdCell("query", clients, Integer.getInteger("queries", 1_000)),
                  new StartPlan.ColdCell("buy", clients, Integer.getInteger("buys", 100))));
  private final StartPlan plan = simulation.plan();
  private final StoreCalls calls = new StoreCalls(simulation);
  private final ClientLoad query = ClientLoad.of("query", calls.query);
  private final ClientLoad buy = ClientLoad.of("buy", calls.buy);

  public QueryVsBuySimulation() {
    var phases = new StartPhases(simulation, calls.timer);
    phases.nullServer(calls);
    plan.coldPass().forEach(it -> phases.published(load(it.kind()), it.clients(), it.calls()));
    phases.warmUp(List.of(query, buy));
    plan.cells().forEach(it -> phases.closed(load(it.kind()), it.clients(), it.repetition()));
    setUp(phases.inOrder()).protocols(calls.protocol).assertions(phases.assertions());
  }

  private ClientLoad load(String kind) {
    return switch (kind) {
      case "query" -> query;
      case "buy" -> buy;
      default -> throw new IllegalArgumentException("expected query or buy, got " + kind);
    };
  }
}
