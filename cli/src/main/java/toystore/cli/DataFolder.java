package toystore.cli;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;

/// A store's data folder:
///
/// ```
/// up.lock         locked by the `up`, `reset` or `restore` that uses the folder; never deleted
/// up.properties   the processes of the running store (see [RunState])
/// restoring       exists during an unfinished restore (see [Restore]): no service starts
/// log/            one log file per process
/// catalog/ …      one folder per service
/// ```
record DataFolder(Path path) {
  /// The environment variable with the administrator's token, for services and commands.
  static final String TOKEN_VARIABLE = "TOYSTORE_ADMIN_TOKEN";

  private static final String LOCK = "up.lock";

  static Path log(Path data, String app) {
    return data.resolve("log").resolve(app + ".log");
  }

  Path upProperties() {
    return path.resolve("up.properties");
  }

  Path adminToken() {
    return path.resolve("admin-token");
  }

  /// The administrator's token of this store: from the environment variable, if set, as in the
  /// services; otherwise from the file.
  String readAdminToken() {
    var given = System.getenv(TOKEN_VARIABLE);
    if (given != null) {
      return given.strip();
    }
    try {
      return Files.readString(adminToken()).strip();
    } catch (IOException e) {
      throw new CommandRefused(
          "cannot read the administrator's token: %s (give the data folder with --data, or set %s)"
              .formatted(e, TOKEN_VARIABLE));
    }
  }

  /// The database file of a service.
  Path database(String service) {
    return path.resolve(service).resolve(service + ".db");
  }

  /// The marker file of an unfinished restore.
  Path restoring() {
    return path.resolve("restoring");
  }

  void requireFullyRestored() {
    if (Files.exists(restoring())) {
      throw new CommandRefused(
          "a restore into data folder %s was interrupted; run ./toystore restore again"
              .formatted(path));
    }
  }

  boolean exists() {
    return Files.isDirectory(path);
  }

  /// Whether the folder has been used by a store. Other folders are never used or emptied.
  boolean isStoreFolder() {
    return Files.isRegularFile(path.resolve(LOCK)) || Files.isDirectory(path.resolve("catalog"));
  }

  boolean isEmpty() throws IOException {
    try (var entries = Files.list(path)) {
      return entries.findFirst().isEmpty();
    }
  }

  /// Creates the folder if necessary and locks it for this process.
  Claim claim() throws IOException {
    if (Files.exists(path) && !exists()) {
      throw new CommandRefused("data folder %s is not a folder".formatted(path));
    }
    if (exists() && !isStoreFolder() && !isEmpty()) {
      throw new CommandRefused(
          "%s contains files that are not a store's data; use an empty or new folder"
              .formatted(path));
    }
    if (!exists()) {
      DurableFiles.makeFolder(path);
    }
    return Claim.retrying(path.resolve(LOCK))
        .orElseThrow(() ->
            new CommandRefused(
                "data folder %s is in use by another ./toystore command".formatted(path)));
  }

  /// Locks the folder and the folders of the services: a service that was started without the
  /// launcher holds only its own lock.
  Claim claimWith(List<String> services) throws IOException {
    var claim = claim();
    for (var service : services) {
      var lock = Files.createDirectories(path.resolve(service)).resolve("lock");
      var one = Claim.retrying(lock);
      if (one.isEmpty()) {
        claim.close();
        throw new CommandRefused("a service is using the data folder: it holds the lock " + lock);
      }
      claim.locks.addAll(one.get().locks);
    }
    return claim;
  }

  /// Refuses a folder that is in use. Does not change a folder that no store has used.
  void requireNotInUse() throws IOException {
    if (isStoreFolder()) {
      claim().close();
    }
  }

  /// Whether another process holds the lock now.
  boolean isInUse() throws IOException {
    if (!Files.isRegularFile(path.resolve(LOCK))) {
      return false;
    }
    var claim = Claim.of(path.resolve(LOCK));
    if (claim.isPresent()) {
      claim.get().close();
    }
    return claim.isEmpty();
  }

  /// Deletes everything in the folder except its lock. Symbolic links are deleted, never followed.
  void empty() throws IOException {
    var folder = path.toRealPath();
    var kept = Set.of(folder, folder.resolve(LOCK));
    try (var files = Files.walk(folder)) {
      for (var file : files.sorted(Comparator.reverseOrder()).toList()) {
        if (!kept.contains(file)) {
          Files.delete(file);
        }
      }
    }
  }

  /// Deletes the folder with its contents and its lock; for temporary folders.
  void remove() throws IOException {
    empty();
    Files.deleteIfExists(path.resolve(LOCK));
    Files.delete(path);
  }

  /// A lock on a folder, held until it is closed or the process ends.
  static final class Claim implements AutoCloseable {
    private static final int TRIES = 10;
    private static final long BETWEEN_TRIES_NANOS = 20_000_000;

    private final List<FileChannel> locks = new ArrayList<>();

    private Claim(FileChannel... locks) {
      this.locks.addAll(List.of(locks));
    }

    /// As [#of], but retries for 200 ms, because `status` and an ending `up` hold the lock briefly.
    static Optional<Claim> retrying(Path file) throws IOException {
      var claim = of(file);
      for (var tries = 1; claim.isEmpty() && tries < TRIES; tries++) {
        LockSupport.parkNanos(BETWEEN_TRIES_NANOS);
        claim = of(file);
      }
      return claim;
    }

    static Optional<Claim> of(Path file) throws IOException {
      var channel =
          FileChannel.open(
              file, StandardOpenOption.CREATE, StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS);
      try {
        if (channel.tryLock() != null) {
          return Optional.of(new Claim(channel));
        }
      } catch (OverlappingFileLockException ours) {
        // this process holds the lock: the folder is in use
      }
      channel.close();
      return Optional.empty();
    }

    @Override
    public void close() throws IOException {
      for (var lock : locks) {
        lock.close();
      }
    }
  }
}
