package toystore.cli.launch;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import toystore.clients.BuiltPrograms;

/// The JVM command lines of the store's processes. `./toystore` writes for each program which class
/// path, main class and startup cache it has: `target/app/catalog-service.options`.
///
/// @param home the project folder
/// @param jvm further options of each JVM
public record JavaCommandLine(Path home, List<String> jvm) {
  static final String JAVA = Path.of(System.getProperty("java.home"), "bin", "java").toString();

  /// Ctrl-C sends SIGINT to every process of the terminal. Services must ignore it, because the
  /// launcher stops them in order. The shell ignores it from the start and then becomes the JVM.
  private static final List<String> IGNORE_SIGINT =
      List.of("/bin/sh", "-c", "trap '' INT; exec \"$@\"", "sh");

  /// The project folder, set by `./toystore`.
  public static Path projectFolder() {
    return Path.of(System.getProperty("toystore.home", "")).toAbsolutePath().normalize();
  }

  /// The process, not started yet. Its working directory is the project folder: Spring reads
  /// settings from `config/` in the working directory, and those in the user's current folder must
  /// not apply.
  public ProcessBuilder process(ProcessSpec part, Path data) {
    var command = new ArrayList<>(IGNORE_SIGINT);
    command.addAll(command(part, data));
    var builder = new ProcessBuilder(command).directory(home.toFile());
    // by default glibc keeps freed memory in up to eight arenas per core
    builder.environment().putIfAbsent("MALLOC_ARENA_MAX", "2");
    return builder;
  }

  List<String> command(ProcessSpec part, Path data) {
    var command = new ArrayList<String>();
    command.add(JAVA);
    command.add("-Xmx" + part.heapMiB() + "m");
    command.add("@" + home.resolve("jvm.options")); // the options that all services share
    command.add("-Djava.io.tmpdir=" + DataFolder.temporary(data));
    command.add("-XX:ErrorFile=" + DataFolder.log(data, part.name() + "-crash-%p"));
    command.addAll(jvm);
    if (part.services().size() > 1) {
      command.add(
          "-Dservices=" // shown by ps only; with the prefix toystore. it would be a setting
              + part.services().stream()
                  .map(ProcessSpec.Service::name)
                  .collect(Collectors.joining(",")));
    }
    command.add("@" + home.resolve("target/app").resolve(part.app() + ".options"));
    command.addAll(part.arguments());
    return command;
  }

  /// A program of the module that contains all services.
  public static List<String> ofStore(String main, String... arguments) {
    var command = new ArrayList<>(List.of(JAVA, "@" + projectFolder().resolve("jvm.options")));
    command.addAll(List.of("-cp", BuiltPrograms.jar(projectFolder(), "store").toString(), main));
    command.addAll(List.of(arguments));
    return command;
  }
}
