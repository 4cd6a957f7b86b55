package toystore.e2e;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import toystore.clients.Project;

/// The launcher, the images, the tests and the lab start services with the options in
/// `jvm.options`.
class JvmOptionsTest {
  @Test
  void jvmAppliesOptions() throws Exception {
    Process java =
        new ProcessBuilder(
                Project.JAVA,
                "@" + Project.HOME.resolve("jvm.options"),
                "-XX:+PrintCommandLineFlags",
                "-XshowSettings:properties",
                "-version")
            .redirectErrorStream(true)
            .start();
    assertThat(new String(java.getInputStream().readAllBytes(), UTF_8))
        .contains("jdk.virtualThreadScheduler.parallelism = 8", "-XX:+UseSerialGC");
    assertThat(java.waitFor()).isZero();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "tools/cli/src/main/java/toystore/cli/launch/JavaCommandLine.java",
        "docker/image/image.options",
        "docker/image/start",
        "docker/test-hosts",
        "tools/clients/src/main/java/toystore/clients/StoreProcesses.java"
      })
  void commandsReadOptionsFromTheFile(String file) throws IOException {
    assertThat(Files.readString(Project.HOME.resolve(file)))
        .contains("jvm.options")
        .doesNotContain("virtualThreadScheduler", "UseSerialGC", "sun-misc-unsafe");
  }
}
