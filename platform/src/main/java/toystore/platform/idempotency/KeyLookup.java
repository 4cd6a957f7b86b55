package toystore.platform.idempotency;

import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/// The committed answers to keys. Used by the writer's thread.
@FunctionalInterface
public interface KeyLookup {
  /// Returns the record of a key, or null if it has none or is assumed to be new.
  @Nullable IdempotencyRecord find(RequestKey key) throws SQLException;

  /// Called after a decision whose answer is not stored.
  ///
  /// @throws toystore.platform.storage.DecideAgainException if the key was wrongly assumed to be
  ///   new
  default void requireNew(RequestKey key) throws SQLException {}
}
