package toystore.torture;

import java.nio.file.Files;
import java.nio.file.Path;

/// Where things are in the project's folder.
final class Project {
  /// The folder itself: the first above the working folder that has the launcher in it.
  static final Path HOME = home();

  private Project() {}

  /// The first of these that there is.
  ///
  /// @throws IllegalStateException where there is none
  static Path jar(String service) {
    Path folder = HOME.resolve(service + "-service").resolve("target");
    try (var jars = Files.newDirectoryStream(folder, "*-exec.jar")) {
      return jars.iterator().next();
    } catch (java.io.IOException | java.util.NoSuchElementException e) {
      throw new IllegalStateException("no jar of the " + service + " service: build it first", e);
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
