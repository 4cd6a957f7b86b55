package toystore.torture;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.NoSuchElementException;
import java.util.stream.Stream;

/// Where things are in the project's folder.
final class Project {
  /// The folder itself: the first above the working folder that has the launcher in it.
  static final Path HOME = home();

  private Project() {}

  /// The jar that Maven made of a service.
  ///
  /// @throws IllegalStateException where there is none
  static Path jar(String service) {
    Path folder = HOME.resolve(service + "-service").resolve("target");
    try (var jars = Files.newDirectoryStream(folder, "*-exec.jar")) {
      return jars.iterator().next();
    } catch (IOException | NoSuchElementException e) {
      throw new IllegalStateException("no jar of the " + service + " service: build it first", e);
    }
  }

  /// The commit this is built from; with a `+` where files were changed since.
  static String commit() {
    return git("describe", "--always", "--dirty=+", "--exclude=*");
  }

  /// What git says, without the end of its line.
  static String git(String... words) {
    var command = Stream.concat(Stream.of("git", "-C", HOME.toString()), Stream.of(words));
    try {
      Process git = new ProcessBuilder(command.toList()).redirectErrorStream(true).start();
      return new String(git.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /// Removes a folder with all in it, if it is there.
  static void remove(Path folder) throws IOException {
    if (Files.isDirectory(folder)) {
      try (Stream<Path> files = Files.walk(folder)) {
        for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
          Files.deleteIfExists(file);
        }
      }
    }
  }

  private static Path home() {
    Path folder = Path.of("").toAbsolutePath();
    while (Files.notExists(folder.resolve("toystore"))) {
      folder = folder.getParent();
      if (folder == null) {
        throw new IllegalStateException("not in the project's folder");
      }
    }
    return folder;
  }
}
