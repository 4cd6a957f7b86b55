package toystore.gatling;

import static io.gatling.javaapi.core.CoreDsl.atOnceUsers;
import static io.gatling.javaapi.core.CoreDsl.forAll;
import static io.gatling.javaapi.core.CoreDsl.global;
import static io.gatling.javaapi.core.CoreDsl.repeat;
import static io.gatling.javaapi.core.CoreDsl.scenario;

import io.gatling.javaapi.core.Assertion;
import io.gatling.javaapi.core.ChainBuilder;
import io.gatling.javaapi.core.PopulationBuilder;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/// Scenarios with growing numbers of clients, one after the other. Each client sends its next
/// request after the response to the previous one.
final class ClientSweep {
  private final List<PopulationBuilder> scenarios = new ArrayList<>();
  private long requests;

  /// The numbers of clients: those of `-Dclients`, such as `1,2,5`.
  static List<Integer> clients(List<Integer> unlessStated) {
    String stated = System.getProperty("clients", "");
    try {
      return stated.isEmpty()
          ? unlessStated
          : Stream.of(stated.split(",")).map(it -> Integer.valueOf(it.strip())).toList();
    } catch (NumberFormatException _) {
      throw new IllegalArgumentException(
          "-Dclients: expected numbers such as 1,2,5, got " + stated);
    }
  }

  /// Adds a scenario whose clients begin together.
  ///
  /// @param calls of each client
  void add(String load, int clients, int calls, ChainBuilder call) {
    requests += (long) clients * calls;
    scenarios.add(
        scenario(String.format(Locale.ROOT, "%s, %d clients", load, clients))
            .exec(StoreCalls::begin)
            .rendezVous(clients)
            .exec(repeat(calls).on(call))
            .injectOpen(atOnceUsers(clients)));
  }

  PopulationBuilder inOrder() {
    PopulationBuilder chain = scenarios.getLast();
    for (PopulationBuilder earlier : scenarios.reversed().subList(1, scenarios.size())) {
      chain = earlier.andThen(chain);
    }
    return chain;
  }

  /// What lets Maven fail: a wrong response, a missing one, or one call in 100 of any kind and
  /// number of clients that took more than `-Dp99Millis` (5,000).
  List<Assertion> assertions() {
    return List.of(
        global().failedRequests().count().is(0L),
        global().allRequests().count().is(requests),
        forAll().responseTime().percentile(99).lte(Integer.getInteger("p99Millis", 5_000)));
  }
}
