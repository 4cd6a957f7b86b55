package toystore.platform.service;

import java.util.function.Supplier;
import toystore.platform.storage.DiskFailedException;
import toystore.platform.storage.UnusableFileException;

/// What a service keeps on disk, as it is opened at the start.
public final class StorageStartup {
  private StorageStartup() {}

  /// Opens something. Where it is damaged, in use or cannot be written the start is refused; a sync
  /// that failed ends the process with [ExitCode#DISK_FAILED].
  public static <T> T open(Supplier<T> opening) {
    try {
      return opening.get();
    } catch (UnusableFileException e) {
      throw new StartupException(String.valueOf(e.getMessage()), e);
    } catch (DiskFailedException e) {
      ServiceProcess.diskFailed(e);
      throw e;
    }
  }
}
