package toystore.clients;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/// The program of a service. With `-Dtoystore.programs=launcher`, it is the one in `target/app`
/// that `./toystore` starts, with its startup cache. Otherwise it is the jar that Maven built.
///
/// @param options what `java` needs to start it
/// @param classPath the same without its main class
record ServiceProgram(List<String> options, String classPath) {
  /// The command and JVM options of every service.
  static final List<String> JVM =
      List.of(
          Project.JAVA,
          "-Xmx128m",
          "@" + Project.HOME.resolve("jvm.options"),
          "-XX:TieredStopAtLevel=1");

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
    return PREPARED.computeIfAbsent(service, ServiceProgram::prepareProgram);
  }

  private static ServiceProgram prepareProgram(String service) {
    try {
      if (LAUNCHER) {
        Path app = Project.HOME.resolve("target/app");
        return new ServiceProgram(
            List.of("@" + app.resolve(service + "-service.options")),
            Project.jar(app.resolve("lib"), "store").toString());
      }
      Path jar = Project.jar(service);
      var options = new ArrayList<>(List.of("-jar", jar.toString()));
      if (CACHED.contains(service)) {
        options.addAll(0, List.of("-Xlog:disable", "-XX:AOTCache=" + cache(service, jar)));
      }
      return new ServiceProgram(List.copyOf(options), jar.toString());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /// Adds the arguments that start the program to a JVM command.
  ///
  /// @param bean the class of an additional bean; its class path comes last
  void addTo(List<String> command, String service, @Nullable Class<?> bean) {
    if (bean == null) {
      command.addAll(options);
    } else {
      String classes = bean.getProtectionDomain().getCodeSource().getLocation().getPath();
      String name = service.substring(0, 1).toUpperCase(Locale.ROOT) + service.substring(1);
      command.addAll(List.of("-cp", classPath + ":" + classes));
      command.add("toystore." + service + "." + name + "Application");
      command.add("--spring.main.sources=" + bean.getName());
    }
  }

  /// Starts the program once, unless this was done before, so that the JVM writes a cache of the
  /// loaded classes. The cache reduces the time of a start to a third. The name of its file
  /// contains the time of the latest jar, so that a new build gets a new one.
  private static Path cache(String service, Path jar) throws IOException {
    Path folder = Files.createDirectories(Project.HOME.resolve("tools/clients/target/programs"));
    Path cache = folder.resolve(service + "-" + latest(jar.resolveSibling(".")) + ".aot");
    if (Files.notExists(cache)) {
      Path incomplete = folder.resolve(service + "-" + ProcessHandle.current().pid());
      var command = new ArrayList<>(JVM);
      command.addAll(
          List.of(
              "-Xlog:disable",
              "-XX:AOTCacheOutput=" + incomplete,
              "-Dspring.context.exit=onRefresh",
              "-jar",
              jar.toString(),
              "--toystore.data=" + incomplete + "-data",
              "--toystore." + service + ".port=0",
              "--toystore." + service + ".management-port=0"));
      Project.run(command);
      Files.move(
          incomplete, cache, StandardCopyOption.REPLACE_EXISTING); // another JVM may be first
    }
    return cache;
  }

  private static long latest(Path folder) throws IOException {
    long latest = 0;
    try (var jars = Files.newDirectoryStream(folder, "*.jar")) {
      for (Path jar : jars) {
        latest = Math.max(latest, Files.getLastModifiedTime(jar).toMillis());
      }
    }
    return latest;
  }
}
