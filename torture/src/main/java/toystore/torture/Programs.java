package toystore.torture;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// A service's program, unpacked: from there it starts twice as fast as from the one jar. The
/// launcher's own (`target/app`), with its cache of loaded classes, where
/// `-Dtoystore.programs=launcher` says that it has just built it; else what Maven built.
///
/// @param cache the JVM's cache of loaded classes; none where there is no such file
record Programs(Path jar, Path cache) {
  private static final boolean LAUNCHER =
      "launcher".equals(System.getProperty("toystore.programs", ""));

  static Programs of(String service) throws IOException {
    String name = service + "-service";
    Path folder =
        LAUNCHER ? Project.HOME.resolve("target/app").resolve(name) : unpacked(service, name);
    return new Programs(folder.resolve(name + ".jar"), folder.resolve(name + ".aot"));
  }

  /// Adds what starts it to the JVM's options.
  ///
  /// @param main instead of its own
  void addTo(List<String> command, @Nullable Class<?> main) {
    if (Files.exists(cache)) {
      command.addAll(List.of("-Xlog:disable", "-XX:AOTCache=" + cache));
    }
    if (main == null) {
      command.addAll(List.of("-jar", jar.toString()));
    } else {
      command.addAll(
          List.of(
              "-cp", jar + ":" + Project.HOME.resolve("torture/target/classes"), main.getName()));
    }
  }

  private static synchronized Path unpacked(String service, String name) throws IOException {
    Path jar = Project.jar(service);
    Path folder =
        Project.HOME
            .resolve("torture/target/programs")
            .resolve(name + "-" + Files.getLastModifiedTime(jar).toMillis());
    if (Files.notExists(folder)) {
      Path half =
          Files.createDirectories(folder.getParent())
              .resolve(name + "-" + ProcessHandle.current().pid());
      run(
          Path.of(System.getProperty("java.home"), "bin", "java").toString(),
          "-Djarmode=tools",
          "-jar",
          jar.toString(),
          "extract",
          "--destination",
          half.toString(),
          "--application-filename",
          name + ".jar");
      Files.move(half, folder);
    }
    return folder;
  }

  static void run(String... command) throws IOException {
    try {
      Process process =
          new ProcessBuilder(command).redirectOutput(ProcessBuilder.Redirect.DISCARD).start();
      assertThat(process.waitFor()).as(String.join(" ", command)).isZero();
    } catch (InterruptedException e) {
      throw new IllegalStateException("nobody interrupts a test", e);
    }
  }
}
