package toystore.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Runs `./toystore torture` in a project whose build is a shell script.
class ModuleRunnerTest {
  @TempDir Path project;

  @Test
  void aSourceThatChangesDuringTheBuildIsBuiltNextTime() throws Exception {
    Files.createDirectories(project.resolve("tools/torture"));
    Files.createFile(project.resolve("pom.xml"));
    build("echo built >>builds; touch pom.xml");
    torture();
    build("echo built >>builds");
    torture();
    torture();
    assertThat(project.resolve("builds")).hasContent("built\nbuilt\n");
  }

  private void build(String script) throws IOException {
    var file = Files.writeString(project.resolve("mvnw"), "#!/bin/sh\n" + script + "\n");
    assertThat(file.toFile().setExecutable(true)).isTrue();
  }

  /// The built program is missing, so the exit code is that of a JVM without a main class.
  private void torture() throws IOException, InterruptedException {
    var process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-Dtoystore.home=" + project,
                "-cp",
                System.getProperty("java.class.path"),
                ToystoreCommand.class.getName(),
                "torture")
            .redirectErrorStream(true)
            .start();
    try (var lines = process.inputReader()) {
      assertThat(lines.lines()).anyMatch(line -> line.contains("toystore.torture.Torture"));
    }
    assertThat(process.waitFor()).isEqualTo(1);
  }
}
