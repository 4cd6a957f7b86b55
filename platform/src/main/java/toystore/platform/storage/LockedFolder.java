package toystore.platform.storage;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// A service's own folder in the data folder, locked for one process and readable by its owner
/// only. The operating system releases the lock when the process ends, even after a kill.
public final class LockedFolder implements AutoCloseable {
  private static final Duration LOCK_TIMEOUT = Duration.ofSeconds(3);
  private static final long RETRY_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

  private static final Logger log = LoggerFactory.getLogger(LockedFolder.class);

  private final Path path;
  private final FileChannel channel;

  private LockedFolder(Path path, FileChannel channel) {
    this.path = path;
    this.channel = channel;
  }

  /// Creates the folder if necessary and locks it. Waits up to three seconds for a process that is
  /// ending.
  ///
  /// @throws UnusableFileException if another process holds the lock, or the folder is not writable
  /// @throws DiskFailedException if an fsync failed
  public static LockedFolder lock(Path path) {
    try {
      DirectoryFsync.create(path);
      FileChannel channel =
          FileChannel.open(
              path.resolve("lock"),
              Set.of(StandardOpenOption.CREATE, StandardOpenOption.WRITE),
              OwnerPermissions.newFile());
      long end = System.nanoTime() + LOCK_TIMEOUT.toNanos();
      while (tryLock(channel) == null) {
        if (System.nanoTime() > end) {
          channel.close();
          throw new UnusableFileException("data folder " + path + " is in use by another process");
        }
        LockSupport.parkNanos(RETRY_NANOS);
      }
      restrict(path); // after a process that is ending has deleted its files
      return new LockedFolder(path, channel);
    } catch (IOException e) {
      throw new UnusableFileException("data folder " + path + " cannot be used: " + e, e);
    }
  }

  /// Also restricts the folder and the files of earlier versions, which every user could read.
  /// Files that are not the service's stay as they are.
  private static void restrict(Path path) {
    String database = path.getFileName() + ".db";
    try {
      OwnerPermissions.restrictFolder(path);
      OwnerPermissions.restrictFiles(
          path, name -> name.equals("lock") || name.startsWith(database));
    } catch (IOException e) { // such as a file system without permissions, or another owner
      log.warn("cannot make {} readable by its owner only: {}", path, e.toString());
    }
  }

  public Path file(String name) {
    return path.resolve(name);
  }

  @Override
  public void close() {
    try {
      channel.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static @Nullable FileLock tryLock(FileChannel channel) throws IOException {
    try {
      return channel.tryLock();
    } catch (OverlappingFileLockException e) { // held by this very JVM
      return null;
    }
  }
}
