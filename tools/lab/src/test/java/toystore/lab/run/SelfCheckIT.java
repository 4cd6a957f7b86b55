package toystore.lab.run;

import static java.util.stream.Collectors.averagingDouble;
import static java.util.stream.Collectors.groupingBy;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;
import static org.assertj.core.api.Assertions.tuple;
import static org.assertj.core.api.Assertions.within;
import static toystore.common.RootLocale.format;

import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import toystore.lab.load.CellRow;

/// What the lab must find in stores whose times are known, from their start to the figures.
@Tag("long")
class SelfCheckIT {
  private static final String FOLLOW_UP =
      """
      "kinds": ["query", "buy", "order"], "followUp": ["query", "buy", "order"], "clients": [2],
      "conditions": ["0 % buy", "50 % buy"], "repetitions": 1, "measuringMillis": 300,
      "course": {"kinds": ["query", "query-popular"], "clients": 2, "intervals": 2, "millis": 50}
      """;

  @TempDir Path folder;

  @Test
  void plantedFiveMillisecondsAreFoundInTheirPart() throws Exception {
    var plain = new ScriptedStore("plain", _ -> 1_000, _ -> 1_000);
    var delayed = new ScriptedStore("delayed", _ -> 1_000, _ -> 6_000);
    List<BlockRow> run = run(1, 200, plain, delayed);
    assertThat(part(run, "delayed", "catalog") - part(run, "plain", "catalog"))
        .isBetween(4_000.0, 8_000.0);
    assertThat(inOrderAlone(run, "delayed") - inOrderAlone(run, "plain"))
        .isCloseTo(0, within(1_500.0));
  }

  /// The time of the order includes that of the catalog.
  private static double inOrderAlone(List<BlockRow> run, String subject) {
    return part(run, subject, "order") - part(run, subject, "catalog");
  }

  /// The least of the cells, which other work on the machine disturbed least.
  private static double part(List<BlockRow> run, String subject, String part) {
    return run.stream()
        .filter(it -> it.subject().equals(subject) && it.cell().phase().equals("closed"))
        .mapToDouble(
            it -> it.cell().cost().timeMicros().getOrDefault(part, 0L) / (double) it.cell().count())
        .min()
        .orElseThrow();
  }

  /// Its latency falls with each call, from 20 ms.
  @Test
  void storeThatIsStillWarmingIsFasterInItsLastRepetition() throws Exception {
    var warming = new ScriptedStore("warming", call -> 20_000 * 20 / (20 + call), _ -> 100);
    Map<Integer, Double> micros =
        run(4, 300, warming).stream()
            .map(BlockRow::cell)
            .filter(it -> it.phase().equals("closed"))
            .collect(groupingBy(CellRow::repetition, averagingDouble(CellRow::meanMicros)));
    assertThat(micros.getOrDefault(2, 0.0)).isBetween(1.0, 0.95 * micros.getOrDefault(1, 0.0));
  }

  @Test
  void storeWithoutACorrectResponseIsNotMeasured() {
    var broken =
        new ScriptedStore(
            "broken",
            _ -> {
              throw new IllegalStateException("planted");
            },
            _ -> 0);
    assertThatIOException()
        .isThrownBy(() -> run(1, 100, broken))
        .withMessageMatching("test: none of \\d+ responses to query was correct: .*");
  }

  /// Half of the queries are followed by a buy, and each order is looked up.
  @Test
  void followUpsAreCalledWithTheirProbabilityAndLookedUp() throws Exception {
    var store = new ScriptedStore("store", _ -> 100, _ -> 100);
    List<BlockRow> run = run(1, FOLLOW_UP, store);
    assertThat(counts(run, "closed").keySet())
        .containsExactlyInAnyOrder(
            "query, 0 % buy", "query, 50 % buy", "buy, 50 % buy", "order, 50 % buy");
    long queries = counts(run, "closed").getOrDefault("query, 50 % buy", 0L);
    long buys = counts(run, "closed").getOrDefault("buy, 50 % buy", 0L);
    long lookUps = counts(run, "closed").getOrDefault("order, 50 % buy", 0L);
    long unmeasured = counts(run, "cell warm-up").getOrDefault("order, 50 % buy", 0L);
    assertThat(buys / (double) queries).isBetween(0.35, 0.65);
    assertThat(unmeasured).isPositive();
    assertThat(lookUps)
        .isBetween(buys, store.buys.get() - unmeasured); // those of the settling, too
    assertThat(
            run.stream()
                .filter(it -> !it.second() && it.cell().phase().equals("course"))
                .map(BlockRow::cell))
        .extracting(CellRow::kind, CellRow::repetition)
        .containsExactly(
            tuple("query", 1),
            tuple("query", 2),
            tuple("query-popular", 3),
            tuple("query-popular", 4));
  }

  private static Map<String, Long> counts(List<BlockRow> run, String phase) {
    var counts = new LinkedHashMap<String, Long>();
    for (BlockRow row : run) {
      if (row.cell().phase().equals(phase) && row.cell().count() > 0) {
        counts.merge(
            row.cell().kind() + ", " + row.cell().condition(), row.cell().count(), Long::sum);
      }
    }
    return counts;
  }

  @Test
  void orderThatIsNotFoundAgainEndsTheRun() {
    var forgetful = new ScriptedStore("forgetful", _ -> 100, _ -> 100);
    forgetful.product = _ -> "Elk";
    assertThatIOException()
        .isThrownBy(() -> run(1, FOLLOW_UP, forgetful))
        .withMessageContaining("a client did not find again what it was answered: name is not ");
  }

  static BlockRunner.Measurement inThisProcess(ExperimentPlan plan) {
    return (subject, block, start, nullServer, _) ->
        StartRun.measure(plan, subject, block, start, nullServer);
  }

  private List<BlockRow> run(int blocks, int measuringMillis, Subject... subjects)
      throws Exception {
    String fields = "\"kinds\": [\"query\"], \"clients\": [1, 2], \"measuringMillis\": ";
    return run(blocks, fields + measuringMillis, subjects);
  }

  /// @param fields of the plan
  private List<BlockRow> run(int blocks, String fields, Subject... subjects) throws Exception {
    ExperimentPlan plan =
        ExperimentPlan.parse(
            format(
                """
                {"name": "test", "title": "Test", "question": "?", "subjects": ["%s"],
                 "warmUpSeconds": 0, "blocks": %d, "settlingMillis": 50,
                 "maxSteal": 1, "seed": 1, %s}
                """,
                String.join("\", \"", List.of(subjects).stream().map(Subject::name).toList()),
                blocks,
                fields),
            "test");
    StoredRun run = StoredRun.open(folder.resolve("run"), plan);
    new BlockRunner(plan, List.of(subjects), run, inThisProcess(plan), _ -> {}).run(blocks);
    return run.rows();
  }
}
