package toystore.bazaarlab;

import static java.util.stream.Collectors.toMap;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;
import toystore.gatling.report.PublishedResults;
import toystore.gatling.report.Report;
import toystore.gatling.result.Cell;
import toystore.gatling.result.RunFolder;

/// Runs experiments as the lab does, each in its own JVM, with few calls.
@Timeout(240)
class BazaarLabIT {
  private static final Path CATALOG = Path.of("../catalog-service").toAbsolutePath().normalize();

  @TempDir Path folder;

  @Test
  @EnabledIfSystemProperty(named = "tests.long", matches = "true")
  void connectionBeyondThePoolStarvesButRequestDoesNot() throws Exception {
    assumeTrue(isBuilt(), "the catalog's jar is not built");
    var run =
        measured(
            PoolExperiment.class,
            Map.of(
                "pools", "1",
                "clients", "2",
                "calls.lookup", "50",
                "calls.trade", "5",
                "calls.mixed", "10",
                "warmUp", "10"));

    assertThat(run.samples().stream().collect(toMap(it -> it.cell().toString(), it -> it.count())))
        .containsEntry("grpc/2/lookup", 100L)
        .containsEntry("grpc/2/trade", 10L)
        .containsEntry("request-50/2/lookup", 100L)
        .containsEntry("request-1/2/lookup", 100L)
        .containsEntry("connection-1/2/lookup", 100L)
        .containsKeys("grpc-mixed/2/lookup", "grpc-mixed/2/trade");
    assertThat(observed(run, "connection-1", "first-answer.starved")).isEqualTo(1);
    assertThat(observed(run, "request-1", "first-answer.starved")).isZero();
    assertThat(observed(run, "connection-1", "queue.mean")).isPositive();
    assertThat(observed(run, "request-1", "queue.mean")).isPositive();
    assertThat(run.about("audit.grpc")).startsWith("ok: ");
    assertThat(report(run)).contains("**On `connection-1` clients starved**: of 2 clients, 1");
  }

  @Test
  void locksAreMeasuredInMemoryAndWithCommit() throws Exception {
    var run = measured(LocksExperiment.class, Map.of("clients", "2", "calls.milliseconds", "20"));

    assertThat(run.samples()).hasSize(3 * 6).allMatch(it -> it.count() > 0 && it.meanMicros() > 0);
    for (String strategy : List.of("mutex", "read-write-lock", "writer")) {
      var written = new Cell(strategy, 2, "reads-0");
      var committed = new Cell(strategy, 2, "reads-0-commit");
      assertThat(operation(run, written)).isPositive().isLessThan(operation(run, committed));
    }
    assertThat(report(run)).contains("## One operation");
  }

  private static double observed(RunFolder run, String subject, String name) {
    return run.observations().stream()
        .filter(it -> it.cell().subject().equals(subject) && it.name().equals(name))
        .mapToDouble(it -> it.value())
        .max()
        .orElseThrow();
  }

  private static double operation(RunFolder run, Cell cell) {
    return run.observations().stream()
        .filter(it -> it.cell().equals(cell) && it.name().equals("operation"))
        .mapToDouble(it -> it.value())
        .findFirst()
        .orElseThrow();
  }

  private RunFolder measured(Class<?> loop, Map<String, String> settings) throws Exception {
    // a project without ./toystore's folder: the jars that were just built
    Path home = Files.createDirectories(folder.resolve("home"));
    Files.createSymbolicLink(home.resolve("catalog-service"), CATALOG);
    Files.createSymbolicLink(home.resolve("jvm.options"), CATALOG.resolveSibling("jvm.options"));
    Path results = Files.createDirectories(folder.resolve("results"));
    var command = new ArrayList<String>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC"));
    command.addAll(
        List.of("--enable-native-access=ALL-UNNAMED", "--sun-misc-unsafe-memory-access=allow"));
    command.addAll(List.of("-Dquick=true", "-Drepetitions=1"));
    command.addAll(List.of("-Dhome=" + home, "-Dresults=" + results));
    settings.forEach((key, value) -> command.add("-D" + key + "=" + value));
    command.addAll(List.of("-cp", "target/classes:target/lib/*", loop.getName()));
    Path log = results.resolve("log.txt");
    var process =
        new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(log.toFile()).start();
    try {
      assertThat(process.waitFor(200, TimeUnit.SECONDS)).as("it ended").isTrue();
      assertThat(process.exitValue()).as(() -> said(log)).isZero();
    } finally {
      process.toHandle().destroy(); // and with it what it started
    }
    return RunFolder.read(results);
  }

  private static String said(Path log) {
    try {
      return Files.readString(log);
    } catch (IOException e) {
      return e.toString();
    }
  }

  private static String report(RunFolder run) throws IOException {
    Report.write(run, PublishedResults.read(Path.of("../docs/evaluation/published.csv")), null);
    return Files.readString(run.folder().resolve("report.md"));
  }

  private static boolean isBuilt() throws IOException {
    Path target = CATALOG.resolve("target");
    if (!Files.isDirectory(target)) {
      return false;
    }
    try (var files = Files.list(target)) {
      return files.anyMatch(it -> it.toString().endsWith("-exec.jar"));
    }
  }
}
