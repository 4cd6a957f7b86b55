package toystore.e2e.browser;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import toystore.clients.FreePorts;
import toystore.lab.run.ClientFunction;
import toystore.lab.run.Failure;
import toystore.lab.run.FailureRow;
import toystore.lab.run.FailureRun;
import toystore.lab.run.FailureRun.Extent;

/// The lab's experiment `failures` with a store of twelve processes and two servers of PostgreSQL.
@Tag("long")
class FailureRunIT {
  @TempDir Path folder;
  private final List<String> progress = new ArrayList<>();

  @Test
  void clientsNoticeThatThePrimaryDiesAndNothingIsLost() throws Exception {
    Path home = LinkedProject.in(folder);
    var extent =
        new Extent(
            1,
            List.of(1),
            List.of(Failure.PRIMARY),
            Duration.ZERO,
            Duration.ofSeconds(1),
            Duration.ofSeconds(2));
    Path results = folder.resolve("results");
    new FailureRun(home, FreePorts.store(), results, extent, progress::add).run(1);
    List<FailureRow> rows = FailureRow.read(FailureRun.table(results));
    assertThat(rows)
        .hasSize(ClientFunction.values().length)
        .allSatisfy(it -> assertThat(it.broken()).as(it.toString()).isEmpty())
        .allSatisfy(it -> assertThat(it.correct()).as(it.toString()).isPositive());
    assertThat(rows)
        .filteredOn(it -> it.function() == ClientFunction.BUY)
        .allSatisfy(it -> assertThat(it.gapMillis()).as(it.toString()).isBetween(100L, 60_000L));

    progress.clear();
    new FailureRun(home, FreePorts.store(), results, extent, progress::add).run(1);
    assertThat(progress).as("a finished run measures nothing again").isEmpty();
  }
}
