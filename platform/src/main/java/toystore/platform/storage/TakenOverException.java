package toystore.platform.storage;

import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/// Another process has taken over the database, or may have, because this one cannot reach it: this
/// one must end, and must not say whether its last commit is done.
public final class TakenOverException extends SQLException {
  private static final long serialVersionUID = 1L;

  TakenOverException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
