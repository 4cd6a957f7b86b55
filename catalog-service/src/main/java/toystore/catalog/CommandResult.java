package toystore.catalog;

import java.util.List;
import org.jspecify.annotations.Nullable;

/// The result of a command. `replayed` marks the stored answer of a known key.
sealed interface CommandResult
    permits CommandResult.Sold, CommandResult.Changed, CommandResult.Imported, Refused {
  record Sold(Sale sale, boolean replayed) implements CommandResult {}

  /// The product after the change, or before its removal.
  record Changed(Product product, boolean replayed) implements CommandResult {}

  record Imported(List<Difference> differences) implements CommandResult {}

  /// A difference made by an import.
  ///
  /// @param before null: the product is new
  record Difference(@Nullable Product before, Product after) {}
}
