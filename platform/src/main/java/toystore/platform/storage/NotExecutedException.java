package toystore.platform.storage;

import static toystore.common.RootLocale.format;

import org.jspecify.annotations.Nullable;

/// A command that was certainly not carried out: the queue is full, the disk is full, the commit
/// failed, the writer is closed, or the caller no longer waits. The message states which.
public final class NotExecutedException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final boolean overloaded;

  private NotExecutedException(String message, boolean overloaded, @Nullable Throwable cause) {
    super(message, cause);
    this.overloaded = overloaded;
  }

  public static NotExecutedException because(String message) {
    return new NotExecutedException(message, false, null);
  }

  static NotExecutedException because(String message, Throwable cause) {
    return new NotExecutedException(message, false, cause);
  }

  static NotExecutedException queueFull(String queue, int bound) {
    return new NotExecutedException(
        format(
            "server is overloaded (%s queue is full: %d waiting); the request was not processed; retry later",
            queue, bound),
        true,
        null);
  }

  public boolean overloaded() {
    return overloaded;
  }
}
