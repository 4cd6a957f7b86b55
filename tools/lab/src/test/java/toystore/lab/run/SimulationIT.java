package toystore.lab.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Predicate;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import toystore.lab.load.CellRow;

/// The Gatling simulations as load clients of a run, and alone, against a store whose times are
/// known.
@Tag("long")
@Timeout(300)
class SimulationIT {
  @TempDir Path folder;

  @Test
  void queryVsBuyHasThePhasesOfTheOwnLoopsAndAgreesWithThem() throws Exception {
    var store = new ScriptedStore("store", _ -> 2_000, _ -> 3_000);
    List<BlockRow> rows =
        rows(
            store,
            """
            "simulation": "toystore.lab.simulation.QueryVsBuySimulation",
            "coldPass": [{"kind": "query", "clients": 1, "calls": 30}, {"kind": "buy", "clients": 2, "calls": 20}],
            "openShares": [0.5], "openKinds": ["query", "buy"]
            """);
    List<CellRow> start = cells(rows, it -> it.start() == 1);
    assertThat(start.stream().map(CellRow::phase).distinct())
        .containsExactly("null", "cold", "warm-up", "closed", "own", "open");
    assertThat(of(start, "null")).map(CellRow::clients).containsExactly(1, 2);
    assertThat(of(start, "cold")).map(CellRow::kind).containsExactly("query", "buy");
    assertThat(of(start, "cold")).map(CellRow::count).containsExactly(30L, 40L);
    assertThat(of(start, "warm-up")).isNotEmpty().allMatch(it -> it.seconds() < 1.5);
    assertThat(of(start, "warm-up")).map(CellRow::kind).containsOnly("all");
    // 2 kinds × 2 numbers of clients, twice and once
    assertThat(of(start, "closed")).hasSize(8).allSatisfy(SimulationIT::hasPartsOfSomeCalls);
    assertThat(of(start, "own").stream().filter(it -> !it.kind().equals("null")))
        .hasSize(4)
        .allSatisfy(SimulationIT::hasPartsOfSomeCalls);
    assertThat(of(start, "cold")).allMatch(it -> it.traced() == 0);
    // other programs may use the processors meanwhile
    assertThat(median(ownOverGatling(rows))).isBetween(0.5, 2.0);
    assertThat(Files.walk(folder).filter(it -> it.endsWith("index.html")).count())
        .as("Gatling's own reports")
        .isEqualTo(2);
  }

  private static void hasPartsOfSomeCalls(CellRow cell) {
    assertThat(cell.errors()).isZero();
    assertThat(cell.traced()).isBetween(cell.count() / 10, cell.count() / 2);
    assertThat(cell.parts()).containsOnlyKeys("order", "catalog", "total");
    assertThat(cell.parts().get("total")).isGreaterThan(cell.parts().get("order"));
  }

  private static List<Double> ownOverGatling(List<BlockRow> rows) {
    var ratios = new ArrayList<Double>();
    for (BlockRow own : rows) {
      if (own.cell().phase().equals("own")) {
        rows.stream()
            .filter(it -> it.start() == own.start() && it.cell().phase().equals("closed"))
            .map(BlockRow::cell)
            .filter(it -> it.kind().equals(own.cell().kind()))
            .filter(it -> it.clients() == own.cell().clients())
            .forEach(it -> ratios.add(own.cell().meanMicros() / it.meanMicros()));
      }
    }
    return ratios;
  }

  @Test
  void mixedLoadHasARowForEachKind() throws Exception {
    var store = new ScriptedStore("store", _ -> 0, _ -> 500);
    List<CellRow> start =
        cells(
            rows(
                store,
                """
                "simulation": "toystore.lab.simulation.MixSimulation",
                "coldPass": [{"kind": "mix", "clients": 2, "calls": 200}], "openKinds": []
                """),
            it -> it.start() == 1);
    assertThat(start.stream().map(CellRow::phase).distinct())
        .containsExactly("null", "cold", "warm-up", "closed");
    List<CellRow> cold = of(start, "cold");
    assertThat(cold).map(CellRow::kind).containsExactlyInAnyOrder("query", "buy");
    assertThat(cold.stream().mapToLong(CellRow::count).sum()).isEqualTo(400);
    assertThat(of(start, "closed")).hasSize(8); // 2 kinds × 2 numbers of clients, twice
    long buys =
        start.stream().filter(it -> it.kind().equals("buy")).mapToLong(CellRow::count).sum();
    long queries =
        start.stream().filter(it -> it.kind().equals("query")).mapToLong(CellRow::count).sum();
    assertThat((double) buys / (buys + queries)).isBetween(0.1, 0.3);
  }

  @Test
  void aloneASimulationSendsWhatIsAskedFor() throws Exception {
    var store = new ScriptedStore("store", _ -> 0, _ -> 0);
    try (Subject.Running running = store.start(folder)) {
      Process gatling =
          new ProcessBuilder(
                  Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                  "--add-opens=java.base/java.lang=ALL-UNNAMED",
                  "-Durl=" + running.url(),
                  "-Dclients=1,3",
                  "-Dqueries=40",
                  "-Dbuys=30",
                  "-Dtoystore.lab.rows=" + folder.resolve("rows.jsonl"),
                  "-Dhttps.proxyHost=127.0.0.1",
                  "-Dhttps.proxyPort=9",
                  "-Djava.util.prefs.userRoot=" + folder,
                  "-cp",
                  System.getProperty("java.class.path"),
                  "io.gatling.app.Gatling",
                  "-s",
                  "toystore.lab.simulation.QueryVsBuySimulation",
                  "-rf",
                  folder.toString())
              .redirectErrorStream(true)
              .start();
      String output = new String(gatling.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      assertThat(gatling.waitFor()).as(output).isZero();
    }
    assertThat(store.queries.get()).isEqualTo(40 * (1 + 3));
    assertThat(store.buys.get()).isEqualTo(30 * (1 + 3));
    assertThat(Files.readAllLines(folder.resolve("rows.jsonl"))).hasSize(4);
  }

  private List<BlockRow> rows(Subject store, String fields) throws Exception {
    ExperimentPlan plan =
        ExperimentPlan.parse(
            String.format(
                Locale.ROOT,
                """
                {"name": "test", "title": "Test", "question": "?", "subjects": ["store"],
                 "kinds": ["query", "buy"], "clients": [1, 2], "warmUpSeconds": 3, "blocks": 1,
                 "settlingMillis": 100, "measuringMillis": 400, "traceEvery": 5, "maxSteal": 1,
                 "seed": 1, %s}
                """,
                fields),
            "test");
    StoredRun run = StoredRun.open(folder.resolve("run"), plan);
    new BlockRunner(plan, List.of(store), run, _ -> {}).run(1);
    return run.rows();
  }

  private static List<CellRow> cells(List<BlockRow> rows, Predicate<BlockRow> which) {
    return rows.stream().filter(which).map(BlockRow::cell).toList();
  }

  private static List<CellRow> of(List<CellRow> rows, String phase) {
    return rows.stream().filter(it -> it.phase().equals(phase)).toList();
  }

  private static double median(List<Double> values) {
    return values.stream().sorted().toList().get(values.size() / 2);
  }
}
