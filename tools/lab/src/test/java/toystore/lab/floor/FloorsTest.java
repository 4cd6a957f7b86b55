package toystore.lab.floor;

import static org.assertj.core.api.Assertions.assertThat;
import static toystore.common.RootLocale.format;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import toystore.lab.run.BlockRow;
import toystore.lab.run.BlockRunner;
import toystore.lab.run.ExperimentPlan;
import toystore.lab.run.StoredRun;
import toystore.lab.run.Subject;

@Tag("long")
class FloorsTest {
  @TempDir Path folder;

  @Test
  void everyFloorAnswersAllCalls() throws IOException, InterruptedException {
    List<Subject> floors = Floors.of(Path.of("../.."), System.getProperty("java.class.path"));
    List<String> names = floors.stream().map(Subject::name).toList();
    ExperimentPlan plan =
        ExperimentPlan.parse(
            format(
                """
                {"name": "floors", "title": "", "question": "", "brief": true, "subjects": %s,
                 "kinds": ["empty"], "clients": [1, 4], "warmUpSeconds": 1, "repetitions": 1,
                 "settlingMillis": 1, "measuringMillis": 100, "blocks": 1, "maxSteal": 1}
                """,
                names.stream().map(it -> format("\"%s\"", it)).collect(Collectors.toList())),
            "test");
    StoredRun run = StoredRun.open(folder, plan);
    new BlockRunner(plan, floors, run, _ -> {}).run(1);

    List<BlockRow> closed =
        run.rows().stream().filter(it -> it.cell().phase().equals("closed")).toList();
    assertThat(closed).hasSize(2 * floors.size());
    assertThat(closed)
        .allSatisfy(it -> {
          assertThat(it.cell().firstError()).isNull();
          assertThat(it.cell().count()).isPositive();
        });
  }
}
