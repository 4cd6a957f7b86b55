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

/// A store's data folder, as the launcher knows it:
///
/// ```
/// up.lock         held by the one `up` (or `reset`) that may use the folder; stays when it is gone
/// up.properties   what runs, while it runs (see [RunState])
/// restoring       a restore that is not finished (see [Restore]): no service starts
/// log/            a log file a process
/// catalog/ …      the services' own
/// ```
record DataFolder(Path path) {
  /// What sets the administrator's token, for services and commands alike.
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

  /// The administrator's token of the store on this folder: the one in the environment, as its
  /// services took it, or the one in the file.
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

  /// The file of a service that keeps one.
  Path database(String service) {
    return path.resolve(service).resolve(service + ".db");
  }

  /// There while a restore is not finished.
  Path restoring() {
    return path.resolve("restoring");
  }

  void refuseHalfRestored() {
    if (Files.exists(restoring())) {
      throw new CommandRefused(
          "a restore into data folder %s was interrupted; run ./toystore restore again"
              .formatted(path));
    }
  }

  boolean exists() {
    return Files.isDirectory(path);
  }

  /// Whether a store was here before: nothing else may be used or emptied as one.
  boolean looksOurs() {
    return Files.isRegularFile(path.resolve(LOCK)) || Files.isDirectory(path.resolve("catalog"));
  }

  boolean isEmpty() throws IOException {
    try (var entries = Files.list(path)) {
      return entries.findFirst().isEmpty();
    }
  }

  /// Makes the folder where there is none, and claims it for this process.
  Claim claim() throws IOException {
    if (Files.exists(path) && !exists()) {
      throw new CommandRefused("data folder %s is not a folder".formatted(path));
    }
    if (exists() && !looksOurs() && !isEmpty()) {
      throw new CommandRefused(
          "%s contains files that are not a store's data; use an empty or new folder"
              .formatted(path));
    }
    if (!exists()) {
      DurableFiles.makeFolder(path);
    }
    return Claim.soon(path.resolve(LOCK))
        .orElseThrow(() ->
            new CommandRefused(
                "data folder %s is in use by another ./toystore up".formatted(path)));
  }

  /// Claims the folder and those of services: one that runs by itself has no launcher, but its own
  /// lock.
  Claim claimWith(List<String> services) throws IOException {
    var claim = claim();
    for (var service : services) {
      var lock = Files.createDirectories(path.resolve(service)).resolve("lock");
      var one = Claim.soon(lock);
      if (one.isEmpty()) {
        claim.close();
        throw new CommandRefused("a service is using the data folder: it holds the lock " + lock);
      }
      claim.locks.addAll(one.get().locks);
    }
    return claim;
  }

  /// Leaves a folder as it is where no store was before.
  void refuseInUse() throws IOException {
    if (looksOurs()) {
      claim().close();
    }
  }

  /// Whether another process holds the folder now.
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

  /// Removes all that is in the folder but its lock. Links are removed, never followed.
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

  /// Removes the folder too: a temporary one is nobody's afterwards.
  void remove() throws IOException {
    empty();
    Files.deleteIfExists(path.resolve(LOCK));
    Files.delete(path);
  }

  /// The right to use a folder, held until it is closed or the process ends.
  static final class Claim implements AutoCloseable {
    private static final int TRIES = 10;
    private static final long BETWEEN_TRIES_NANOS = 20_000_000;

    private final List<FileChannel> locks = new ArrayList<>();

    private Claim(FileChannel... locks) {
      this.locks.addAll(List.of(locks));
    }

    /// As [#of], but waits a moment for one who only looks, or is just leaving.
    static Optional<Claim> soon(Path file) throws IOException {
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
        // held by this very process: in use all the same
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
