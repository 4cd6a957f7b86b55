package toystore.cli.launch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;
import toystore.cli.command.CommandRefusal;
import toystore.cli.command.YesOption;
import toystore.clients.Conditions;

/// A process that waits on its stdin stands for a service whose launcher was killed.
@SuppressWarnings("NullAway.Init") // each test starts the process
final class StoppedProcessesTest {
  @TempDir Path folder;
  private Process process;

  @AfterEach
  void end() {
    process.destroyForcibly();
  }

  @Test
  void stoppedProcessOfTheFolderIsNamedAndEnded() throws Exception {
    var data = new DataFolder(folder.resolve("Kašpárek"));
    start("--toystore.data=" + data.path());
    assertThat(StoppedProcesses.on(data)).as("it runs").isEmpty();
    stop();

    var found = StoppedProcesses.on(data);

    assertThat(found).containsExactly(process.toHandle());
    assertThat(StoppedProcesses.describe(found.getFirst()))
        .isEqualTo("pid " + process.pid() + " (catalog-service)");
    assertThatExceptionOfType(CommandRefusal.class)
        .as("no terminal to ask at")
        .isThrownBy(() -> StoppedProcesses.end(found, new YesOption()));
    assertThat(process.isAlive()).isTrue();
    StoppedProcesses.end(found, CommandLine.populateCommand(new YesOption(), "--yes"));
    assertThat(process.waitFor(10, TimeUnit.SECONDS)).isTrue();
    assertThat(StoppedProcesses.on(data)).isEmpty();
  }

  /// The data folder of `up --fresh` is another one at each start.
  @Test
  void stoppedProcessOnAPortOfTheStoreIsFound() throws Exception {
    start("--toystore.exchange.xml-port=12745");
    stop();

    assertThat(StoppedProcesses.inTheWayOf(plan(8480))).containsExactly(process.toHandle());
    assertThat(StoppedProcesses.inTheWayOf(plan(8580))).isEmpty();
  }

  private StorePlan plan(int port) {
    return new StorePlan(
        StorePlanTest.SERVICES, StoreLayout.together(port), null, folder, null, List.of());
  }

  private void start(String argument) throws Exception {
    var log = "--logging.file.name=" + folder.resolve("catalog-service.log");
    process = new ProcessBuilder("/bin/sh", "-c", "read _; :", "sh", argument, log).start();
    Conditions.await(
        () -> Files.readString(Path.of("/proc/" + process.pid() + "/cmdline")).contains(argument));
  }

  private void stop() throws Exception {
    new ProcessBuilder("kill", "-STOP", Long.toString(process.pid())).start().waitFor();
    Conditions.await(() -> StoppedProcesses.isStopped(process.pid()));
  }
}
