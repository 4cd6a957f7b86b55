package toystore.catalog.storage;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import toystore.catalog.domain.Product;
import toystore.catalog.domain.RecordedChange;
import toystore.platform.text.IdentifierText;

/// Searches the recorded changes, the newest first. Any thread.
///
/// @param product part of its name, in any letter case; empty: all
/// @param by part of who made it; empty: all
/// @param foldsRestocks whether automatic restocks that follow each other are one entry
public record ChangeSearch(String product, String by, boolean foldsRestocks) {
  /// 0.1 s, because no index finds parts of names.
  static final int MAX_READ = 10_000;

  private static final int READ_AT_ONCE = 500;

  public ChangeSearch {
    product = folded(product);
    by = folded(by);
  }

  /// @param restocks number of automatic restocks that follow each other; 0: it is another change
  public record Entry(ChangeStore.Row latest, ChangeStore.Row first, int restocks) {
    private Entry with(Entry older) {
      return new Entry(latest, older.first, restocks + older.restocks);
    }
  }

  /// @param next the next page has the changes before this number; 0: there are none
  public record Page(List<Entry> entries, long next) {}

  public Page page(Connection connection, long before, int limit) throws SQLException {
    var entries = new ArrayList<Entry>();
    long next = before;
    for (int read = 0; read < MAX_READ; read += READ_AT_ONCE) {
      List<ChangeStore.Row> rows = ChangeStore.page(connection, next, READ_AT_ONCE);
      for (ChangeStore.Row row : rows) {
        if (matches(row.change()) && !add(entry(row), entries, limit)) {
          return new Page(entries, next);
        }
        next = row.number();
      }
      if (rows.size() < READ_AT_ONCE) {
        return new Page(entries, 0);
      }
    }
    return new Page(entries, next);
  }

  private boolean matches(RecordedChange change) {
    return folded(change.by()).contains(by)
        && Stream.of(change.difference().before(), change.difference().after())
            .anyMatch(this::isNamed);
  }

  private boolean isNamed(@Nullable Product changed) {
    return changed != null && folded(changed.name()).contains(product);
  }

  private static String folded(String text) {
    return IdentifierText.normalized(text).toLowerCase(Locale.ROOT);
  }

  private Entry entry(ChangeStore.Row row) {
    boolean isRestock = foldsRestocks && row.change().by().equals(AutomaticRestock.CHANGED_BY);
    return new Entry(row, row, isRestock ? 1 : 0);
  }

  /// @return whether there was a place for it
  private static boolean add(Entry entry, List<Entry> entries, int limit) {
    if (entry.restocks() > 0 && !entries.isEmpty() && entries.getLast().restocks() > 0) {
      entries.add(entries.removeLast().with(entry));
      return true;
    }
    return entries.size() < limit && entries.add(entry);
  }
}
