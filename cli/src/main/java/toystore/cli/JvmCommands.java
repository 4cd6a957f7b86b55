package toystore.cli;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/// How a part of the store is started as a JVM: from its unpacked program, with its ahead-of-time
/// cache where there is one.
///
/// ```
/// target/app/catalog-service/catalog-service.jar   the program
///                            lib/                  what it needs
///                            catalog-service.aot   classes as one training run loaded them
/// ```
///
/// @param home the project's folder
/// @param training whether this run makes the caches that are missing
record JvmCommands(Path home, boolean training) {
  private static final Path JAVA = Path.of(System.getProperty("java.home"), "bin", "java");

  /// Ctrl-C reaches every process of a terminal. A service ignores it, since the launcher stops all
  /// in order, and this way it does so from its very first moment; the shell then becomes the JVM.
  private static final List<String> DEAF_TO_CTRL_C =
      List.of("/bin/sh", "-c", "trap '' INT; exec \"$@\"", "sh");

  /// The project's folder, as `./toystore` gives it.
  static Path projectFolder() {
    return Path.of(System.getProperty("toystore.home", "")).toAbsolutePath().normalize();
  }

  /// The process, not started yet. It works in the project's folder: Spring reads settings from
  /// `config/` where a process stands, and those of the folder the user happens to stand in are
  /// nobody's intention.
  ProcessBuilder process(ProcessSpec part, Path data) {
    var command = new ArrayList<>(DEAF_TO_CTRL_C);
    command.addAll(command(part, data));
    return new ProcessBuilder(command).directory(home.toFile());
  }

  List<String> command(ProcessSpec part, Path data) {
    var command = new ArrayList<String>();
    command.add(JAVA.toString());
    command.add("-Xmx" + part.heapMiB() + "m");
    command.add("-XX:+UseSerialGC"); // the smallest; pauses of such a heap are short
    command.add("-XX:+ExitOnOutOfMemoryError"); // a fresh start is the cure, and we give it
    command.add("-XX:ErrorFile=" + DataFolder.log(data, part.app() + "-crash-%p"));
    command.add("--enable-native-access=ALL-UNNAMED");
    command.add("--sun-misc-unsafe-memory-access=allow");
    command.addAll(cacheFlags(part.app()));
    if (part.services().size() > 1) {
      command.add(
          "-Dservices=" // for ps only; under toystore. a service would take it for a setting
              + part.services().stream()
                  .map(ProcessSpec.Service::name)
                  .collect(Collectors.joining(",")));
    }
    command.add("-jar");
    command.add(folder(part.app()).resolve(part.app() + ".jar").toString());
    command.addAll(part.arguments());
    return command;
  }

  /// The cache of a program; it need not exist.
  Path cache(String app) {
    return folder(app).resolve(app + ".aot");
  }

  private List<String> cacheFlags(String app) {
    // unless told to be silent the JVM would speak of a cache, above all of one that does not fit
    if (Files.exists(cache(app))) {
      return List.of("-Xlog:disable", "-XX:AOTCache=" + cache(app));
    }
    return training ? List.of("-Xlog:disable", "-XX:AOTCacheOutput=" + cache(app)) : List.of();
  }

  private Path folder(String app) {
    return home.resolve("target").resolve("app").resolve(app);
  }
}
