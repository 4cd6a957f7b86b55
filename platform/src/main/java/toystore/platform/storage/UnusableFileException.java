package toystore.platform.storage;

import java.sql.SQLException;

/// A folder or file that cannot be used: in use, damaged or not writable. The message names the
/// file and the reason.
public final class UnusableFileException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /// The driver and the server have no common way to log in or to encrypt.
  private static final String REJECTED = "08004";

  UnusableFileException(String message) {
    super(message);
  }

  UnusableFileException(String message, Throwable cause) {
    super(message, cause);
  }

  /// Whether the reason is a server that does not answer, is starting, or is no longer the primary,
  /// which a failover ends.
  public boolean mayPass() {
    return StorageError.of(this) == StorageError.DISCONNECTED
        && !(getCause() instanceof SQLException e && REJECTED.equals(e.getSQLState()));
  }
}
