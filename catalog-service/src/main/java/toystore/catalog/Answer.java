package toystore.catalog;

import java.util.List;
import org.jspecify.annotations.Nullable;

/// What the till answers. `replayed` says that it is the stored answer for a known key.
sealed interface Answer
    permits Answer.Sold, Answer.Changed, Answer.Imported, Answer.Noted, Refused {
  record Sold(Sale sale, boolean replayed) implements Answer {}

  /// A product after (or, where it was removed, before) the change.
  record Changed(Product product, boolean replayed) implements Answer {}

  record Imported(List<Difference> differences) implements Answer {}

  /// An order book was noted.
  record Noted() implements Answer {}

  /// What an import changes.
  ///
  /// @param before null: the product is new
  record Difference(@Nullable Product before, Product after) {}
}
