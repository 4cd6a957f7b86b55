package toystore.gatling;

import io.gatling.javaapi.core.Simulation;
import java.util.List;

/// Queries (`GET /products/NAME`) and buys (`POST /orders`) by 1 to 5 clients, after a [WarmUp]:
/// each client makes 1,000 queries, or 100 buys. `-Dqueries`, `-Dbuys` and `-Dclients=1,2,5` change
/// it.
public final class QueryVsBuySimulation extends Simulation {
  private final StoreCalls calls = new StoreCalls();
  private final ClientSweep sweep = new ClientSweep(calls, List.of(1, 2, 3, 4, 5));

  public QueryVsBuySimulation() {
    int queries = SimulationSettings.number("queries", 1_000);
    int buys = SimulationSettings.number("buys", 100);
    for (int clients : sweep.clients()) {
      sweep.add("query", clients, queries, calls.query(clients));
      sweep.add("buy", clients, buys, calls.buy(clients));
    }
    setUp(sweep.inOrder()).protocols(StoreCalls.protocol()).assertions(sweep.assertions());
  }

  @Override
  public void after() {
    sweep.report(getClass());
  }
}
