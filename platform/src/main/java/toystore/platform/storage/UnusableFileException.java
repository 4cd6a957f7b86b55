package toystore.platform.storage;

import org.jspecify.annotations.Nullable;

/// A folder or file that cannot be used: in use, damaged or not writable. The message names the
/// file and the reason.
public final class UnusableFileException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  UnusableFileException(String message) {
    super(message);
  }

  UnusableFileException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
