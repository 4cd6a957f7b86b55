package toystore.lab.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;
import static toystore.common.RootLocale.format;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Mistakes in the files of an experiment are explained.
class ExperimentFileTest {
  private static final String PLAN =
      """
      {
        "name": "mine", "title": "Mine", "question": "?", "subjects": ["target"],
        "kinds": ["find"], "clients": [1], "warmUpSeconds": 0, "blocks": 6,
        "scenario": "requests.json"
      }
      """;
  private static final String SCENARIO =
      """
      { "kinds": { "find": { "path": "/find", "check": { "status": 200, "present": ["/a"] } } } }
      """;

  @TempDir Path folder;
  private Path plan = Path.of("");
  private Path scenario = Path.of("");

  @BeforeEach
  void write() throws IOException {
    plan = Files.writeString(folder.resolve("mine.json"), PLAN);
    scenario = Files.writeString(folder.resolve("requests.json"), SCENARIO);
  }

  @Test
  void scenarioLiesBesideThePlan() throws IOException {
    assertThat(Experiments.plan(plan.toString()).scenario()).isEqualTo(scenario.toString());
  }

  @Test
  void shippedExperimentsAreValid() throws IOException {
    for (String name : Experiments.NAMES) {
      ExperimentPlan shipped = Experiments.plan(name);
      assertThat(shipped.name()).isEqualTo(name);
      assertThat(ExperimentPlan.parse(shipped.json(), name)).isEqualTo(shipped);
      assertThat(ExperimentPlan.parse(shipped.quick().json(), name).blocks()).isEqualTo(2);
    }
  }

  @Test
  void subjectsOfBenchCanBeLeftOut() throws IOException {
    ExperimentPlan store = Experiments.plan("bench").only(List.of("store", "one-jvm"));
    assertThat(store.subjects()).containsExactly("store", "one-jvm");
    assertThat(store.quick().contrasts()).isEqualTo(store.contrasts());
    assertThat(ExperimentPlan.parse(store.json(), "bench")).isEqualTo(store);
    assertThatIOException()
        .isThrownBy(() -> Experiments.plan("query-vs-buy").only(List.of("processes", "cached")))
        .withMessage(
            "query-vs-buy: expected some of its subjects [processes], got [processes, cached]");
  }

  @Test
  void missingFiles() throws IOException {
    Files.delete(scenario);
    rejects(format("expected a scenario in %s, which does not exist", scenario));
    Files.delete(plan);
    rejects(format("expected an experiment in %s, which does not exist", plan));
  }

  @Test
  void unknownKind() throws IOException {
    replace(plan, "[\"find\"]", "[\"fnid\"]");
    rejects(
        format(
            "%s: kinds: unknown kind fnid; expected one of [find], which %s has", plan, scenario));
  }

  @Test
  void mistakesInThePlan() throws IOException {
    replace(plan, "\"blocks\": 6", "\"blocks\": \"six\"");
    rejects(format("%s: blocks: expected a whole number, got \"six\"", plan));
    write();
    replace(plan, "\"clients\": [1]", "\"clients\": []");
    rejects(
        format(
            "%s: expected at least one of subjects, kinds and clients, got [target], [find] and []",
            plan));
    write();
    replace(plan, "\"clients\": [1], ", "");
    rejects(format("%s: field clients is missing", plan));
    write();
    replace(plan, "\"title\":", "\"titel\": 1, \"title\":");
    assertThatIOException()
        .isThrownBy(() -> Experiments.plan(plan.toString()))
        .withMessageStartingWith(
            format("%s: unknown field titel; expected one of blocks, brief", plan));
    write();
    replace(plan, "6,", "6");
    assertThatIOException()
        .isThrownBy(() -> Experiments.plan(plan.toString()))
        .withMessageStartingWith(format("%s, line 4: expected JSON: Unexpected character", plan));
  }

  @Test
  void mistakesInTheScenario() throws IOException {
    replace(scenario, "\"/a\"", "\"a\"");
    rejects(
        format(
            "%s: kinds.find.check: expected a JSON pointer such as /data/name, got a", scenario));
    write();
    replace(scenario, "\"status\": 200", "\"status\": \"OK\"");
    rejects(format("%s: kinds.find.check.status: expected a whole number, got \"OK\"", scenario));
    write();
    replace(scenario, "\"status\": 200, ", "");
    rejects(format("%s: field kinds.find.check.status is missing", scenario));
  }

  private static void replace(Path file, String text, String other) throws IOException {
    Files.writeString(file, Files.readString(file).replace(text, other));
  }

  private void rejects(String message) {
    assertThatIOException()
        .isThrownBy(() -> Experiments.plan(plan.toString()))
        .withMessage(message);
  }
}
