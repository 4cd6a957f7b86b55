package toystore.lab;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import toystore.clients.Project;
import toystore.lab.load.CellRow;
import toystore.lab.load.JsonFile;
import toystore.lab.run.BlockRunner;
import toystore.lab.run.StartRun;
import toystore.lab.run.StartedProgram;
import toystore.lab.run.StoredRun;
import toystore.lab.run.Subject;

/// `lab start`, the process of one start: it starts the subject, sends the load, stops the subject
/// and writes a row for each cell. The other commands of the lab run it.
@Command(name = "start", hidden = true, description = "Measure one start of a run.")
final class StartCommand implements Callable<Integer> {
  private static final String DONE = "measured";

  @Option(names = "--run", required = true)
  private Path run = Path.of("");

  @Option(names = "--subject", required = true)
  private String subject = "";

  @Option(names = "--block", required = true)
  private int block;

  @Option(names = "--start", required = true)
  private int start;

  @Option(names = "--null-server")
  private @Nullable URI nullServer;

  @Option(names = "--rows", required = true)
  private Path rows = Path.of("");

  @Option(names = "--home")
  private Path home = Path.of("").toAbsolutePath();

  @Mixin private TargetOptions target = new TargetOptions();

  /// Runs this command in a new JVM for each start.
  static BlockRunner.Measurement inProcesses(StoredRun run) {
    return (subject, block, start, nullServer, environment) -> {
      Path rows = Files.createTempFile("toystore-lab-", ".json");
      var command = new ArrayList<>(List.of(Project.JAVA));
      command.addAll(StartRun.FLAGS);
      command.addAll(List.of("-cp", System.getProperty("java.class.path")));
      command.addAll(List.of(LabProgram.class.getName(), "start", "--run=" + run.folder()));
      command.addAll(List.of("--subject=" + subject.name(), "--rows=" + rows));
      command.addAll(List.of("--block=" + block, "--start=" + start));
      command.addAll(nullServer == null ? List.of() : List.of("--null-server=" + nullServer));
      command.addAll(subject.arguments());
      Path folder = Path.of("").toAbsolutePath();
      List<String> pinned = StartedProgram.besideCores(subject.cores(), command);
      try (var program = new StartedProgram(subject.name(), folder, environment, pinned)) {
        program.awaitLine(DONE::equals);
        return List.of(JsonFile.MAPPER.readValue(rows.toFile(), CellRow[].class));
      } finally {
        Files.delete(rows);
      }
    };
  }

  @Override
  public Integer call() throws IOException, InterruptedException {
    Subject started = target.subject(subject, home);
    JsonFile.MAPPER.writeValue(
        rows.toFile(),
        StartRun.measure(StoredRun.read(run).plan(), started, block, start, nullServer));
    System.out.println(DONE);
    return 0;
  }
}
