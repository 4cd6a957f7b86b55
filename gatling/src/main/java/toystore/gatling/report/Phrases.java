package toystore.gatling.report;

import java.util.List;
import toystore.gatling.result.Cell;

/// Formats parts of sentences.
final class Phrases {
  private Phrases() {}

  /// As `1 client`.
  static String clients(int clients) {
    return clients == 1 ? "1 client" : clients + " clients";
  }

  /// As `` `query` on `bridge` ``.
  static String call(Cell cell) {
    return "`%s` on `%s`".formatted(cell.kind(), cell.subject());
  }

  /// As `a, b and c`.
  static String list(List<String> words) {
    return words.size() < 2
        ? String.join("", words)
        : String.join(", ", words.subList(0, words.size() - 1)) + " and " + words.getLast();
  }

  /// Escapes text for Markdown.
  static String literal(String text) {
    return text.replaceAll("([\\\\`*_\\[\\]<>&])", "\\\\$1").replace("\n", " ");
  }
}
