package toystore.cli.launch;

import static java.nio.file.StandardCopyOption.REPLACE_EXISTING;
import static java.nio.file.StandardOpenOption.CREATE;
import static java.nio.file.StandardOpenOption.WRITE;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import toystore.cli.command.CommandRefusal;
import toystore.cli.command.ShutdownHook;
import toystore.clients.BuiltPrograms;

/// Builds and runs the program of a module in `tools` that is not needed to start a store. So users
/// who only start a store neither build it nor download its dependencies.
///
/// @param name the name of the module
/// @param building the message to print while it is built
record ModuleRunner(String name, String building) {
  private static final List<String> JVM =
      List.of(
          "--enable-native-access=ALL-UNNAMED",
          "--sun-misc-unsafe-memory-access=allow"); // of Protocol Buffers

  Path home() {
    return JavaCommandLine.projectFolder();
  }

  private Path module() {
    return home().resolve("tools").resolve(name);
  }

  /// Runs the program and waits until it exits.
  ///
  /// @return its exit code
  int run(String main, List<String> jvm, List<String> arguments)
      throws IOException, InterruptedException {
    var command = new ArrayList<>(List.of(JavaCommandLine.JAVA));
    command.addAll(JVM);
    command.addAll(jvm);
    command.addAll(List.of("-cp", BuiltPrograms.classPath(home(), name), main));
    command.addAll(arguments);
    return run(command);
  }

  /// Builds the module if a source is newer than the last build. A file lock prevents two builds at
  /// the same time. In a release there is nothing to build.
  void build() throws IOException, InterruptedException {
    if (BuiltPrograms.isRelease(home())) {
      return;
    }
    Path lock = Files.createDirectories(home().resolve("target")).resolve("workshop.lock");
    try (var channel = FileChannel.open(lock, CREATE, WRITE);
        FileLock _ = channel.lock()) {
      buildAlone();
    }
  }

  private void buildAlone() throws IOException, InterruptedException {
    Path target = Files.createDirectories(module().resolve("target"));
    Path built = target.resolve("built");
    if (Files.exists(built) && !isChangedSince(built)) {
      return;
    }
    System.err.println("toystore: " + building);
    // written before the build, so that a source changed during it counts as newer
    Path begun = Files.writeString(target.resolve("built.new"), "");
    String build = "./mvnw -q -B -am -Dmaven.test.skip=true -P !checks package -pl tools/" + name;
    if (run(List.of(build.split(" "))) != 0) {
      throw new CommandRefusal("building module " + name + " failed; see the errors above");
    }
    Files.move(begun, built, REPLACE_EXISTING);
  }

  /// Whether a source of any module is newer: the module is built with its dependencies.
  private boolean isChangedSince(Path built) throws IOException {
    var sources = "pom.xml */pom.xml */src/main tools/*/pom.xml tools/*/src/main";
    var find =
        new ProcessBuilder("/bin/sh", "-c", "find " + sources + " -newer \"$0\"", built.toString())
            .directory(home().toFile())
            .redirectError(ProcessBuilder.Redirect.DISCARD); // of patterns without a file
    try (BufferedReader newer = find.start().inputReader()) {
      return newer.readLine() != null;
    }
  }

  /// Runs a child process in the project folder on this program's JDK.
  private int run(List<String> command) throws IOException, InterruptedException {
    var builder = new ProcessBuilder(command).directory(home().toFile()).inheritIO();
    builder.redirectInput(ProcessBuilder.Redirect.from(Path.of("/dev/null").toFile()));
    builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
    builder.environment().put("MAVEN_OPTS", String.join(" ", JVM));
    return ShutdownHook.waitFor(builder.start());
  }
}
