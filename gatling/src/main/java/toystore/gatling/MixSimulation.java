package toystore.gatling;

import static io.gatling.javaapi.core.CoreDsl.percent;
import static io.gatling.javaapi.core.CoreDsl.randomSwitch;

import io.gatling.javaapi.core.Simulation;
import java.util.List;

/// A mixed load of 1 to 5 and 20 clients, after a [WarmUp]: for each of its 1,000 requests, a
/// client picks a query (80 %) or a buy (20 %) at random. `-Drequests` and `-Dclients=1,2,5` change
/// it.
public final class MixSimulation extends Simulation {
  private final StoreCalls calls = new StoreCalls();
  private final ClientSweep sweep = new ClientSweep(calls, List.of(1, 2, 3, 4, 5, 20));

  public MixSimulation() {
    int requests = SimulationSettings.number("requests", 1_000);
    for (int clients : sweep.clients()) {
      sweep.add(
          "mix",
          clients,
          requests,
          randomSwitch()
              .on(percent(80).then(calls.query(clients)), percent(20).then(calls.buy(clients))));
    }
    setUp(sweep.inOrder()).protocols(StoreCalls.protocol()).assertions(sweep.assertions());
  }

  @Override
  public void after() {
    sweep.report(getClass());
  }
}
