package toystore.platform.storage;

import static java.util.Objects.requireNonNull;

import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/// A failed read of a committed row that a decision needs. Deciders are plain Java, so they do not
/// declare [SQLException]. The [SingleWriter] treats this exception as its cause.
public final class RowReadException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  @FunctionalInterface
  public interface Read<T extends @Nullable Object> {
    T run() throws SQLException;
  }

  private RowReadException(SQLException failure) {
    super(failure.getMessage(), failure);
  }

  /// Runs a read for a decider.
  public static <T extends @Nullable Object> T unchecked(Read<T> read) {
    try {
      return read.run();
    } catch (SQLException e) {
      throw new RowReadException(e);
    }
  }

  SQLException failure() {
    return (SQLException) requireNonNull(getCause());
  }
}
