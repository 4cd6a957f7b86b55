package toystore.testkit;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/// A service's program, unpacked, since it starts twice as fast than from the one jar. It is the
/// launcher's own (`target/app`), with its AOT cache, where `-Dtoystore.programs=launcher` says
/// that it has just been built; else what Maven built, unpacked once under `testkit/target`.
///
/// @param cache of loaded classes (AOT); unused where there is no such file
record ServiceProgram(Path jar, Path cache) {
  /// What every service's JVM is started with.
  static final List<String> JVM =
      List.of(
          Project.JAVA,
          "-Xmx128m",
          "-XX:+UseSerialGC",
          "-XX:TieredStopAtLevel=1",
          "--enable-native-access=ALL-UNNAMED",
          "--sun-misc-unsafe-memory-access=allow");

  private static final boolean LAUNCHER =
      "launcher".equals(System.getProperty("toystore.programs", ""));

  /// All services' programs, prepared beside each other when the first is asked for.
  private static final class Prepared {
    static final Map<String, ServiceProgram> PROGRAMS = all();
  }

  private static Map<String, ServiceProgram> all() {
    return Stream.of("catalog", "order", "frontend")
        .parallel()
        .collect(Collectors.toConcurrentMap(service -> service, ServiceProgram::prepared));
  }

  static ServiceProgram of(String service) {
    return Objects.requireNonNull(Prepared.PROGRAMS.get(service), service);
  }

  private static ServiceProgram prepared(String service) {
    String name = service + "-service";
    try {
      Path folder =
          LAUNCHER ? Project.HOME.resolve("target/app").resolve(name) : unpacked(service, name);
      return in(folder, name);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static ServiceProgram in(Path folder, String name) {
    return new ServiceProgram(folder.resolve(name + ".jar"), folder.resolve(name + ".aot"));
  }

  /// Adds what starts it to the JVM's options.
  ///
  /// @param main instead of its own; its class path comes after the service's
  void addTo(List<String> command, @Nullable Class<?> main) {
    if (Files.exists(cache)) {
      command.addAll(List.of("-Xlog:disable", "-XX:AOTCache=" + cache));
    }
    if (main == null) {
      command.addAll(List.of("-jar", jar.toString()));
    } else {
      String classes = main.getProtectionDomain().getCodeSource().getLocation().getPath();
      command.addAll(List.of("-cp", jar + ":" + classes, main.getName()));
    }
  }

  /// The folder bears the jar's checksum, so that a new build is unpacked again.
  private static Path unpacked(String service, String name) throws IOException {
    Path jar = Project.jar(service);
    Path programs = Files.createDirectories(Project.HOME.resolve("testkit/target/programs"));
    Path folder = programs.resolve(name + "-" + checksum(jar));
    if (Files.notExists(folder)) {
      Path half = programs.resolve(name + "-" + ProcessHandle.current().pid());
      Project.run(
          List.of(
              Project.JAVA,
              "-Djarmode=tools",
              "-jar",
              jar.toString(),
              "extract",
              "--destination",
              half.toString(),
              "--application-filename",
              name + ".jar"));
      Files.move(half, folder); // the cache holds the path
      train(service, in(folder, name));
    }
    return folder;
  }

  /// Starts it once, so that the JVM writes its cache: with it a start takes a third of the time.
  private static void train(String service, ServiceProgram program) throws IOException {
    var command = new ArrayList<>(JVM);
    command.addAll(
        List.of(
            "-Xlog:disable",
            "-XX:AOTCacheOutput=" + program.cache,
            "-Dspring.context.exit=onRefresh",
            "-jar",
            program.jar.toString(),
            "--toystore.data=" + program.jar.resolveSibling("data"),
            "--toystore.%s.port=0".formatted(service),
            "--toystore.%s.management-port=0".formatted(service)));
    Project.run(command);
  }

  private static String checksum(Path jar) throws IOException {
    var checksum = new CRC32C();
    checksum.update(Files.readAllBytes(jar));
    return Long.toHexString(checksum.getValue());
  }
}
