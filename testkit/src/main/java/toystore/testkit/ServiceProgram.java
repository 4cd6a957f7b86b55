package toystore.testkit;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/// The unpacked program of a service. It starts twice as fast as the single jar. With
/// `-Dtoystore.programs=launcher`, it is the launcher's program in `target/app` with its AOT cache.
/// Otherwise it is the jar built by Maven, which is unpacked once under `testkit/target`.
///
/// @param cache the AOT cache of loaded classes; unused if the file does not exist
record ServiceProgram(Path jar, Path cache) {
  /// The command and JVM options of every service.
  static final List<String> JVM =
      List.of(
          Project.JAVA,
          "-Xmx128m",
          "@" + Project.HOME.resolve("jvm.options"),
          "-XX:TieredStopAtLevel=1");

  private static final String AOT = "-Dspring.aot.enabled=true";
  private static final boolean LAUNCHER =
      "launcher".equals(System.getProperty("toystore.programs", ""));

  /// The services that tests start often. Writing the cache takes longer than ten starts.
  private static final Set<String> CACHED = Set.of("catalog", "order", "frontend");

  private static final Map<String, ServiceProgram> PREPARED = new ConcurrentHashMap<>();

  /// Prepares the programs of several services in parallel.
  static void prepare(List<String> services) {
    services.parallelStream().forEach(ServiceProgram::of);
  }

  /// The program of a service, prepared at the first use.
  static ServiceProgram of(String service) {
    return PREPARED.computeIfAbsent(service, ServiceProgram::prepared);
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

  /// Adds the arguments that start the program to a JVM command.
  ///
  /// @param main a main class to use instead of the service's own; its class path comes last
  void addTo(List<String> command, @Nullable Class<?> main) {
    if (Files.exists(cache)) {
      command.addAll(List.of("-Xlog:disable", "-XX:AOTCache=" + cache));
    }
    if (main == null) {
      command.addAll(List.of(AOT, "-jar", jar.toString()));
    } else {
      String classes = main.getProtectionDomain().getCodeSource().getLocation().getPath();
      command.addAll(List.of("-cp", jar + ":" + classes, main.getName()));
    }
  }

  /// Unpacks the jar of a service, unless this was done before. The name of the folder contains the
  /// checksum of the jar, so that a new build is unpacked again.
  private static Path unpacked(String service, String name) throws IOException {
    Path jar = Project.jar(service);
    Path programs = Files.createDirectories(Project.HOME.resolve("testkit/target/programs"));
    Path folder = programs.resolve(name + "-" + checksum(jar));
    if (Files.notExists(folder)) {
      Path incomplete = programs.resolve(name + "-" + ProcessHandle.current().pid());
      Project.run(
          List.of(
              Project.JAVA,
              "-Djarmode=tools",
              "-jar",
              jar.toString(),
              "extract",
              "--destination",
              incomplete.toString(),
              "--application-filename",
              name + ".jar"));
      Files.move(incomplete, folder); // before train(): the cache contains the path
      if (CACHED.contains(service)) {
        train(service, in(folder, name));
      }
    }
    return folder;
  }

  /// Starts the program once so that the JVM writes its AOT cache. The cache reduces the time of a
  /// start to a third.
  private static void train(String service, ServiceProgram program) throws IOException {
    var command = new ArrayList<>(JVM);
    command.addAll(
        List.of(
            "-Xlog:disable",
            "-XX:AOTCacheOutput=" + program.cache,
            AOT,
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
