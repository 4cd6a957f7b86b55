package toystore.gatling;

import io.gatling.javaapi.core.Simulation;
import java.util.List;

/// Queries (`GET /products/NAME`) and buys (`POST /orders`) by 1 to 5 clients: each client makes
/// 1,000 queries, or 100 buys. `-Dqueries`, `-Dbuys` and `-Dclients=1,2,5` change it.
public final class QueryVsBuySimulation extends Simulation {
  private final StoreCalls calls = new StoreCalls();

  public QueryVsBuySimulation() {
    var sweep = new ClientSweep();
    for (int clients : ClientSweep.clients(List.of(1, 2, 3, 4, 5))) {
      sweep.add("query", clients, Integer.getInteger("queries", 1_000), calls.query(clients));
      sweep.add("buy", clients, Integer.getInteger("buys", 100), calls.buy(clients));
    }
    setUp(sweep.inOrder()).protocols(StoreCalls.protocol()).assertions(sweep.assertions());
  }

  @Override
  public void after() {
    System.out.print(calls.latencies());
  }
}
