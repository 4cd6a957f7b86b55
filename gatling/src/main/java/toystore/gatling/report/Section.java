package toystore.gatling.report;

import java.util.List;

/// A part of a report, drawn from what a run holds; empty where it holds nothing of the kind.
interface Section {
  String heading();

  /// Markdown that ends with a line break, or nothing.
  String text();

  /// What it comes to: sentences that the table of this section bears.
  default List<String> findings() {
    return List.of();
  }
}
