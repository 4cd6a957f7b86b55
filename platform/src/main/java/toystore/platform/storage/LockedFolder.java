package toystore.platform.storage;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/// A folder that one process has to itself, by a lock of the operating system, which goes with the
/// process however that ends. It is a service's own, in the store's data folder; while that is half
/// restored from a backup, none of its folders may be used.
public final class LockedFolder implements AutoCloseable {
  private static final Duration PATIENCE = Duration.ofSeconds(3);
  private static final long RETRY_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

  private static final String RESTORING = "restoring";

  private final Path path;
  private final FileChannel channel;

  private LockedFolder(Path path, FileChannel channel) {
    this.path = path;
    this.channel = channel;
  }

  /// Makes the folder where there is none, and locks it. A process that is just ending is waited
  /// for, three seconds at most.
  ///
  /// @throws UnusableException where another process has it, it cannot be written, or a restore
  ///   into the data folder was broken off
  /// @throws DiskFailedException where a sync failed
  public static LockedFolder lock(Path path) {
    try {
      DirectorySync.make(path);
      FileChannel channel =
          FileChannel.open(
              path.resolve("lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
      long end = System.nanoTime() + PATIENCE.toNanos();
      while (tryLock(channel) == null) {
        if (System.nanoTime() > end) {
          channel.close();
          throw new UnusableFileException("data folder " + path + " is in use by another process");
        }
        LockSupport.parkNanos(RETRY_NANOS);
      }
      if (Files.exists(path.resolveSibling(RESTORING))) {
        channel.close();
        throw new UnusableFileException(
            "data folder %s is incomplete because a restore was interrupted; run ./toystore restore again"
                .formatted(path));
      }
      return new LockedFolder(path, channel);
    } catch (IOException e) {
      throw new UnusableFileException("data folder " + path + " cannot be used: " + e, e);
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
