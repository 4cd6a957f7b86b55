package toystore.cli.launch;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// Temporary files that killed processes have left: folders of Tomcat, whose names contain a port,
/// and the library of SQLite, which may be deleted while it is in use.
final class LeftTemporaryFiles {
  /// A process that is starting has not loaded its library yet.
  private static final Duration YOUNG = Duration.ofMinutes(2);

  private LeftTemporaryFiles() {}

  /// Deletes them.
  ///
  /// @param folder of temporary files
  /// @param plan of a store whose ports are free
  static void delete(Path folder, StorePlan plan) {
    String ports =
        plan.parts().stream()
            .flatMap(part -> part.services().stream())
            .flatMap(service -> service.ports().stream())
            .map(port -> Integer.toString(port.number()))
            .collect(Collectors.joining("|"));
    String names =
        "tomcat(-docbase)?\\.("
            + ports
            + ")\\.\\d+|sqlite-[\\d.]+-[\\w-]+-libsqlitejdbc\\.\\w+(\\.lck)?";
    try (Stream<Path> files = Files.list(folder)) {
      List<Path> left = files.filter(it -> it.getFileName().toString().matches(names)).toList();
      left.forEach(LeftTemporaryFiles::deleteOld);
    } catch (IOException unreadable) {
      // nothing depends on it
    }
  }

  private static void deleteOld(Path file) {
    try {
      boolean isFolder = Files.isDirectory(file, LinkOption.NOFOLLOW_LINKS);
      Instant modified = Files.getLastModifiedTime(file, LinkOption.NOFOLLOW_LINKS).toInstant();
      if (isFolder) {
        new DataFolder(file).remove();
      } else if (modified.isBefore(Instant.now().minus(YOUNG))) {
        Files.delete(file);
      }
    } catch (IOException anotherUsers) {
      // it stays
    }
  }
}
