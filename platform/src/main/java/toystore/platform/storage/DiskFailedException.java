package toystore.platform.storage;

/// The disk no longer holds what it was told to hold, or nobody knows whether it does: a sync
/// failed. Whatever follows would guess, so the process ends and is not started again.
public final class DiskFailedException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  DiskFailedException(String message, Throwable cause) {
    super(message, cause);
  }
}
