package toystore.gatling.report;

import java.util.List;

/// A section of a report; empty if the run has no data for it.
interface Section {
  String heading();

  /// Markdown that ends with a line break, or an empty string.
  String text();

  /// The main results of the section, as sentences.
  default List<String> findings() {
    return List.of();
  }
}
