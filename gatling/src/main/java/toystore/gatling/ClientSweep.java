package toystore.gatling;

import static io.gatling.javaapi.core.CoreDsl.asLongAs;
import static io.gatling.javaapi.core.CoreDsl.atOnceUsers;
import static io.gatling.javaapi.core.CoreDsl.forAll;
import static io.gatling.javaapi.core.CoreDsl.global;
import static io.gatling.javaapi.core.CoreDsl.repeat;
import static io.gatling.javaapi.core.CoreDsl.scenario;

import io.gatling.javaapi.core.Assertion;
import io.gatling.javaapi.core.ChainBuilder;
import io.gatling.javaapi.core.PopulationBuilder;
import io.gatling.javaapi.core.Simulation;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.stream.Collectors;

/// Scenarios with several numbers of clients, one after the other: first the warm-up, then the
/// numbers in random order, so that what changes during a run does not look like an effect of the
/// number. Each client sends its next request after the response to the previous one.
final class ClientSweep {
  private final StoreCalls calls;
  private final WarmUp warmUp = new WarmUp();
  private final List<Integer> clients;
  private final String order;
  private final List<PopulationBuilder> scenarios = new ArrayList<>();
  private long requests;

  ClientSweep(StoreCalls calls, List<Integer> unlessStated) {
    this.calls = calls;
    clients = new ArrayList<>(SimulationSettings.clients(unlessStated));
    int most = Collections.max(clients);
    int seed = SimulationSettings.seed();
    Collections.shuffle(clients, new Random(seed));
    order =
        String.format(
            Locale.ROOT,
            "-Dseed=%d: numbers of clients in the order %s",
            seed,
            clients.stream().map(String::valueOf).collect(Collectors.joining(", ")));
    System.out.println(order);
    scenarios.add(
        scenario("warm-up")
            .exec(StoreCalls::begin)
            .exec(
                asLongAs(session -> !session.isFailed() && warmUp.isGoingOn())
                    .on(calls.warmUp(warmUp)))
            .injectOpen(atOnceUsers(most)));
  }

  /// The numbers of clients in the order of their measurement.
  List<Integer> clients() {
    return clients;
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
        forAll().responseTime().percentile(99).lte(SimulationSettings.number("p99Millis", 5_000)));
  }

  /// Writes the latencies into the file `latencies.txt` beside Gatling's report, whose folder is
  /// the newest of the simulation, and prints them when the JVM exits, because Gatling prints its
  /// own figures after the simulation's end.
  void report(Class<? extends Simulation> simulation) {
    String text = String.format(Locale.ROOT, "%s; %s%n%s", order, warmUp, calls.latencies());
    Runtime.getRuntime().addShutdownHook(new Thread(() -> System.out.print(text)));
    String prefix = simulation.getSimpleName().toLowerCase(Locale.ROOT) + "-";
    try (var folders = Files.list(Path.of(System.getProperty("results", "target/gatling")))) {
      Path folder =
          folders
              .filter(it -> it.getFileName().toString().startsWith(prefix))
              .max(Comparator.naturalOrder())
              .orElseThrow();
      Files.writeString(folder.resolve("latencies.txt"), text);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
