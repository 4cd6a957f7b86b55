package toystore.platform.storage;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// A reserve file that keeps disk space free, so that a service can start on a full disk. SQLite
/// recreates the index of its log (`-shm`) at each start and cannot read anything without it.
///
/// One thread at a time.
final class ReservedSpace {
  private static final Logger log = LoggerFactory.getLogger(ReservedSpace.class);
  private static final int BYTES = 1 << 20;

  private final Path file;

  ReservedSpace(Path file) {
    this.file = file;
  }

  /// Creates the reserve file if it does not exist and there is enough space.
  ///
  /// @return whether the file exists now
  boolean create() {
    try {
      if (Files.notExists(file) || Files.size(file) < BYTES) {
        Files.deleteIfExists(file);
        Files.write(OwnerPermissions.createFile(file), new byte[BYTES]);
      }
      return true;
    } catch (IOException e) {
      log.warn(
          "cannot create reserve file {}: {}; without it the service may not start on a full disk",
          file,
          e.getMessage());
      release(); // frees the space of an incomplete file
      return false;
    }
  }

  /// Deletes the reserve file.
  ///
  /// @return whether it existed
  boolean release() {
    try {
      return Files.deleteIfExists(file);
    } catch (IOException e) {
      log.warn("cannot delete reserve file {}: {}", file, e.getMessage());
      return false;
    }
  }
}
