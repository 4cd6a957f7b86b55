package toystore.lab.simulation;

import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.function.IntFunction;
import java.util.stream.Stream;
import toystore.lab.load.CellRows;
import toystore.lab.load.StartPlan;

/// What a simulation does: the plan of an experiment's start, or the published pass against the
/// store at `-Durl`.
///
/// @param rows where the measured latencies are written
record SimulationPlan(StartPlan plan, CellRows rows) {
  private static final List<String> SHIPPED = List.of("Tux", "Whale", "Elephant", "Bird");

  /// Reads the plan at `-Dtoystore.lab.plan`, whose rows are written to `-Dtoystore.lab.rows`.
  ///
  /// @param clients numbers of clients without a plan, unless `-Dclients` has others
  /// @param published the published pass with a number of clients
  static SimulationPlan read(
      List<Integer> clients, IntFunction<List<StartPlan.ColdCell>> published) {
    try {
      String file = System.getProperty("toystore.lab.plan", "");
      StartPlan plan =
          file.isEmpty()
              ? alone(
                  clients(clients).stream().flatMap(it -> published.apply(it).stream()).toList())
              : new JsonMapper().readValue(Path.of(file).toFile(), StartPlan.class);
      Path rows = Path.of(System.getProperty("toystore.lab.rows", "target/rows.jsonl"));
      return new SimulationPlan(plan, new CellRows(plan, rows));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static List<Integer> clients(List<Integer> unlessStated) {
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

  /// Nothing but the published pass: what is asked for is what is sent.
  private static StartPlan alone(List<StartPlan.ColdCell> published) {
    URI url = URI.create(System.getProperty("url", "http://127.0.0.1:8080"));
    long now = System.currentTimeMillis();
    return new StartPlan(
        url, "", Map.of(), 1, now, Map.of(), Map.of(), null, published, 0, 1, List.of(), List.of(),
        0, 0, 0);
  }

  List<String> products() {
    return plan.values().getOrDefault("product", SHIPPED);
  }
}
