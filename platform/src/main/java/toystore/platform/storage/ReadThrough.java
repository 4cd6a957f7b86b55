package toystore.platform.storage;

import java.sql.SQLException;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// The values of one kind that the commands of a batch read and change: the change of this batch,
/// or what is committed. Part of a [UnitOfWork]. One thread.
public final class ReadThrough<K, V> {
  private final Source<K, V> committed;
  private final Map<K, V> changed = new LinkedHashMap<>();

  /// Finds what is committed: in published memory, or in a row.
  @FunctionalInterface
  public interface Source<K, V> {
    /// Returns null if there is none.
    @Nullable V find(K key) throws SQLException;
  }

  public ReadThrough(Source<K, V> committed) {
    this.committed = committed;
  }

  /// Returns the value as the batch has changed it so far; null if there is none.
  ///
  /// @throws CorruptDataException if its row is damaged
  /// @throws RowReadException if its row cannot be read
  public @Nullable V find(K key) {
    V inBatch = changed.get(key);
    return inBatch == null ? RowReadException.unchecked(() -> committed.find(key)) : inBatch;
  }

  public boolean isChanged(K key) {
    return changed.containsKey(key);
  }

  public void put(K key, V value) {
    changed.put(key, value);
  }

  /// The changed values, in the order of their first changes.
  public Map<K, V> changed() {
    return Collections.unmodifiableMap(changed);
  }
}
