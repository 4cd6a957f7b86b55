package toystore.torture;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/// A service's program, unpacked: from there it starts twice as fast as from the one jar. The
/// launcher's own (`target/app`), with its cache of loaded classes, where
/// `-Dtoystore.programs=launcher` says that it has just built it; else what Maven built.
///
/// @param cache the JVM's cache of loaded classes; none where there is no such file
record Programs(Path jar, Path cache) {
  static final String JAVA = Path.of(System.getProperty("java.home"), "bin", "java").toString();

  /// What every service's JVM is started with.
  static final List<String> JVM =
      List.of(
          JAVA,
          "-Xmx128m",
          "-XX:+UseSerialGC",
          "-XX:TieredStopAtLevel=1",
          "--enable-native-access=ALL-UNNAMED",
          "--sun-misc-unsafe-memory-access=allow");

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

  /// Unpacked once, and started once so that the JVM writes its cache: from then on it starts in a
  /// third of the time.
  private static synchronized Path unpacked(String service, String name) throws IOException {
    Path jar = Project.jar(service);
    Path folder =
        Project.HOME.resolve("torture/target/programs").resolve(name + "-" + checksum(jar));
    if (Files.notExists(folder)) {
      Path half =
          Files.createDirectories(folder.getParent())
              .resolve(name + "-" + ProcessHandle.current().pid());
      run(
          JAVA,
          "-Djarmode=tools",
          "-jar",
          jar.toString(),
          "extract",
          "--destination",
          half.toString(),
          "--application-filename",
          name + ".jar");
      Files.move(half, folder); // the cache holds the path
      train(service, folder, name);
    }
    return folder;
  }

  private static void train(String service, Path folder, String name) throws IOException {
    var command = new ArrayList<>(JVM);
    command.addAll(
        List.of(
            "-Xlog:disable",
            "-XX:AOTCacheOutput=" + folder.resolve(name + ".aot"),
            "-Dspring.context.exit=onRefresh",
            "-jar",
            folder.resolve(name + ".jar").toString(),
            "--toystore.data=" + folder.resolve("data"),
            "--toystore.%s.port=0".formatted(service),
            "--toystore.%s.management-port=0".formatted(service)));
    run(command.toArray(String[]::new));
  }

  private static String checksum(Path jar) throws IOException {
    var checksum = new CRC32C();
    checksum.update(Files.readAllBytes(jar));
    return Long.toHexString(checksum.getValue());
  }

  static void run(String... command) throws IOException {
    try {
      Process process =
          new ProcessBuilder(command)
              .redirectOutput(ProcessBuilder.Redirect.DISCARD)
              .redirectError(ProcessBuilder.Redirect.DISCARD)
              .start();
      assertThat(process.waitFor()).as(String.join(" ", command)).isZero();
    } catch (InterruptedException e) {
      throw new IllegalStateException("nobody interrupts a test", e);
    }
  }
}
