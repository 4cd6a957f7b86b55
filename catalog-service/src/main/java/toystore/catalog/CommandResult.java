package toystore.catalog;

import java.util.List;
import org.jspecify.annotations.Nullable;

/// What the till answers. `replayed` says that it is the stored answer for a known key.
sealed interface CommandResult
    permits CommandResult.Sold,
        CommandResult.Changed,
        CommandResult.Imported,
        CommandResult.Noted,
        Refused {
  record Sold(Sale sale, boolean replayed) implements CommandResult {}

  /// A product after (or, where it was removed, before) the change.
  record Changed(Product product, boolean replayed) implements CommandResult {}

  record Imported(List<Difference> differences) implements CommandResult {}

  /// An order book was noted.
  record Noted() implements CommandResult {}

  /// What an import changes.
  ///
  /// @param before null: the product is new
  record Difference(@Nullable Product before, Product after) {}
}
