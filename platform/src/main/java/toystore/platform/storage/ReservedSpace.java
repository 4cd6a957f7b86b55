package toystore.platform.storage;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// A little of the disk that is set aside, so that a service can start on a full one: SQLite's
/// index of the log (`-shm`) is made anew at each start, and nothing can be read without it.
///
/// One thread at a time.
final class ReservedSpace {
  private static final Logger log = LoggerFactory.getLogger(ReservedSpace.class);
  private static final int BYTES = 1 << 20;

  private final Path file;

  ReservedSpace(Path file) {
    this.file = file;
  }

  /// Sets it aside where it is not, if there is room.
  ///
  /// @return whether it is set aside now
  boolean keep() {
    try {
      if (Files.notExists(file) || Files.size(file) < BYTES) {
        Files.write(file, new byte[BYTES]);
      }
      return true;
    } catch (IOException e) {
      log.warn("cannot create reserve file {}: {}", file, e.getMessage());
      release(); // half of it is of more use to others
      return false;
    }
  }

  /// Gives it up.
  ///
  /// @return whether there was any
  boolean release() {
    try {
      return Files.deleteIfExists(file);
    } catch (IOException e) {
      log.warn("cannot delete reserve file {}: {}", file, e.getMessage());
      return false;
    }
  }
}
