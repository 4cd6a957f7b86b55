package toystore.e2e.browser;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import toystore.clients.FreePorts;
import toystore.lab.run.Experiments;
import toystore.lab.run.FailureRow;
import toystore.lab.run.FailureRun;

/// The lab's experiment `failures` with a store of twelve processes and two servers of PostgreSQL.
@Tag("long")
class FailureRunIT {
  @TempDir Path folder;

  @Test
  void clientsNoticeThatThePrimaryDiesAndNothingIsLost() throws Exception {
    Path home = LinkedProject.in(folder);
    var plan = Experiments.failures().only(1, "PRIMARY");
    Path results = folder.resolve("results");
    new FailureRun(home, FreePorts.store(), results, plan, _ -> {}).run(1);
    List<FailureRow> rows = FailureRow.read(FailureRun.table(results));
    assertThat(rows)
        .hasSize(plan.functions().size())
        .allSatisfy(it -> assertThat(it.broken()).as(it.toString()).isEmpty())
        .allSatisfy(it -> assertThat(it.correct()).as(it.toString()).isPositive());
    assertThat(rows)
        .filteredOn(it -> it.function().equals("BUY"))
        .allSatisfy(it -> assertThat(it.gapMillis()).as(it.toString()).isBetween(100L, 60_000L));

    var progress = new ArrayList<String>();
    new FailureRun(home, FreePorts.store(), results, plan, progress::add).run(1);
    assertThat(progress).as("a finished run measures nothing again").isEmpty();
  }
}
