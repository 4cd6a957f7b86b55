package toystore.platform.storage;

import java.sql.SQLException;
import java.util.Objects;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// A folder or file that cannot be used: in use, damaged or not writable. The message names the
/// file and the reason.
public final class UnusableFileException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /// SQLSTATEs, see [StorageError]. 08004: driver and server have no common way to log in.
  private static final Pattern PASSING = Pattern.compile("08(?!004)...|25006|53300|57P0.");

  UnusableFileException(String message) {
    super(message);
  }

  UnusableFileException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }

  /// Whether the reason is a server that does not answer, is starting, or is no longer the primary,
  /// which a failover ends.
  public boolean mayPass() {
    return Stream.iterate(getCause(), Objects::nonNull, Throwable::getCause)
        .filter(it -> it instanceof SQLException e && e.getSQLState() != null)
        .findFirst()
        .filter(it -> PASSING.matcher(((SQLException) it).getSQLState()).matches())
        .isPresent();
  }
}
