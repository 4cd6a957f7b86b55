package toystore.gatling;

import static io.gatling.javaapi.core.CoreDsl.percent;
import static io.gatling.javaapi.core.CoreDsl.randomSwitch;

import io.gatling.javaapi.core.Simulation;
import java.util.List;

/// A mixed load of 1 to 5 and 20 clients: for each of its 1,000 requests, a client picks a query
/// (80 %) or a buy (20 %) at random. `-Drequests` and `-Dclients=1,2,5` change it.
public final class MixSimulation extends Simulation {
  private final StoreCalls calls = new StoreCalls();

  public MixSimulation() {
    var sweep = new ClientSweep();
    for (int clients : ClientSweep.clients(List.of(1, 2, 3, 4, 5, 20))) {
      sweep.add(
          "mix",
          clients,
          Integer.getInteger("requests", 1_000),
          randomSwitch()
              .on(percent(80).then(calls.query(clients)), percent(20).then(calls.buy(clients))));
    }
    setUp(sweep.inOrder()).protocols(StoreCalls.protocol()).assertions(sweep.assertions());
  }

  @Override
  public void after() {
    System.out.print(calls.latencies());
  }
}
