package toystore.clients;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/// Finds the project folder, and runs programs from it.
public final class Project {
  /// The project folder: the nearest parent of the working directory that contains `./toystore`.
  public static final Path HOME = home();

  public static final String JAVA =
      Path.of(System.getProperty("java.home"), "bin", "java").toString();

  private Project() {}

  private static Path home() {
    Path folder = Path.of("").toAbsolutePath();
    while (Files.notExists(folder.resolve("toystore"))) {
      folder = folder.getParent();
      if (folder == null) {
        throw new IllegalStateException(
            "the working directory is not inside the project: no parent folder contains the file toystore");
      }
    }
    return folder;
  }

  /// Returns the jar of a service, built by Maven. Its dependencies are in the same folder.
  ///
  /// @throws IllegalStateException if there is none
  public static Path jar(String service) {
    return BuiltPrograms.in(HOME.resolve("store/target/lib"), service + "-service");
  }

  /// Returns the folder into which `.ci/tools` installs programs.
  public static Path tools() {
    String cache = System.getenv("XDG_CACHE_HOME");
    return cache == null
        ? Path.of(System.getProperty("user.home"), ".cache", "toystore")
        : Path.of(cache, "toystore");
  }

  /// Runs a program and waits until it exits.
  ///
  /// @return what it prints, without the last line's end
  /// @throws IOException with what it prints, if its exit code is not 0
  public static String run(List<String> command) throws IOException {
    return run(Path.of("").toAbsolutePath(), command);
  }

  /// As [#run(List)], in another folder.
  public static String run(Path folder, List<String> command) throws IOException {
    Process process =
        new ProcessBuilder(command).directory(folder.toFile()).redirectErrorStream(true).start();
    try {
      process.getOutputStream().close();
      String output = new String(process.getInputStream().readAllBytes(), UTF_8).strip();
      int code = process.waitFor();
      if (code != 0) {
        throw new IOException(
            "exit code " + code + " of " + String.join(" ", command) + ": " + output);
      }
      return output;
    } catch (InterruptedException e) {
      process.destroyForcibly();
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", e);
    }
  }

  /// Deletes a folder and its contents, if it exists.
  public static void remove(Path folder) throws IOException {
    if (Files.isDirectory(folder)) {
      try (Stream<Path> files = Files.walk(folder)) {
        for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
          Files.deleteIfExists(file);
        }
      }
    }
  }
}
