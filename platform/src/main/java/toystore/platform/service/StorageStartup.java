package toystore.platform.service;

import java.util.function.Supplier;
import toystore.platform.storage.DiskFailedException;
import toystore.platform.storage.UnusableFileException;

/// Opens the files of a service at startup.
public final class StorageStartup {
  private StorageStartup() {}

  /// Opens a resource. Aborts startup if it is damaged, in use or not writable. Ends the process
  /// with [ExitCode#DISK_FAILED] if an fsync failed.
  public static <T> T open(Supplier<T> resource) {
    try {
      return resource.get();
    } catch (UnusableFileException e) {
      throw new StartupException(String.valueOf(e.getMessage()), e);
    } catch (DiskFailedException e) {
      ServiceProcess.exitAfterFatalError(e);
      throw e;
    }
  }
}
