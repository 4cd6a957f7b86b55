package toystore.platform.storage;

/// An fsync failed, so it is unknown what the disk contains. The process ends and must not be
/// restarted.
public final class DiskFailedException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  DiskFailedException(String message, Throwable cause) {
    super(message, cause);
  }
}
