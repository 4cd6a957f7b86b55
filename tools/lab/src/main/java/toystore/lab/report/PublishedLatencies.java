package toystore.lab.report;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;

/// Mean latencies of other systems: part of published.csv. They come from other machines, so only
/// their ratios within one table may be compared.
record PublishedLatencies(List<PublishedRow> all) {
  /// Published names of the lab's kinds that have other names.
  private static final Map<String, String> OPERATIONS =
      Map.of(
          "rating", "get_seller_rating",
          "search-items", "search_items",
          "display-items", "display_items_for_sale",
          "register-item", "register_item_for_sale");

  static final PublishedLatencies NONE = new PublishedLatencies(List.of());

  /// @throws IOException with the file, if it or a column is missing
  static PublishedLatencies read(Path file) throws IOException {
    return new PublishedLatencies(PublishedRow.read(file))
        .filtered(it -> it.metric().equals(PublishedRow.LATENCY) && !it.isIteration());
  }

  /// Those of an experiment; none if it has no published counterpart.
  PublishedLatencies of(String experiment) {
    return filtered(it -> it.experiment().equals(experiment));
  }

  List<String> placements() {
    return all.stream().map(PublishedRow::placement).distinct().toList();
  }

  /// @param kind a kind of requests of the lab
  List<PublishedRow> of(String placement, String kind) {
    String operation = OPERATIONS.getOrDefault(kind, kind);
    return filtered(it -> it.placement().equals(placement) && it.operation().equals(operation))
        .all();
  }

  private PublishedLatencies filtered(Predicate<PublishedRow> wanted) {
    return new PublishedLatencies(all.stream().filter(wanted).toList());
  }
}
