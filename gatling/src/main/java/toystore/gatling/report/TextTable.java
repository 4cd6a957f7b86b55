package toystore.gatling.report;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/// A table of text, for a page or a terminal. Text columns are aligned left, number columns right.
///
/// @param texts number of leading columns with text
record TextTable(int texts, List<String> header, List<List<String>> rows) {
  TextTable {
    header = List.copyOf(header);
    rows = List.copyOf(rows);
    for (List<String> row : rows) {
      if (row.size() != header.size()) {
        throw new IllegalArgumentException(
            "expected %d fields, found %s".formatted(header.size(), row));
      }
    }
  }

  boolean isEmpty() {
    return rows.isEmpty();
  }

  /// A table in GitHub's Markdown; empty if there are no rows.
  String markdown() {
    if (isEmpty()) {
      return "";
    }
    var lines = new ArrayList<String>();
    lines.add(line(header));
    lines.add(
        line(IntStream.range(0, header.size()).mapToObj(i -> i < texts ? "---" : "--:").toList()));
    rows.forEach(row -> lines.add(line(row)));
    return String.join("\n", lines) + "\n";
  }

  private static String line(List<String> fields) {
    return fields.stream()
        .map(field -> field.replace("|", "\\|").replace("\n", " "))
        .collect(Collectors.joining(" | ", "| ", " |"));
  }

  /// Aligned columns, one line per row.
  String plain() {
    var all = new ArrayList<List<String>>();
    all.add(header);
    all.addAll(rows);
    int[] widths =
        IntStream.range(0, header.size())
            .map(i -> all.stream().mapToInt(row -> bare(row.get(i)).length()).max().orElse(1))
            .toArray();
    return all.stream().map(row -> plain(row, widths) + "\n").collect(Collectors.joining());
  }

  private String plain(List<String> row, int[] widths) {
    return IntStream.range(0, widths.length)
        .mapToObj(i -> padded(bare(row.get(i)), widths[i], i < texts))
        .collect(Collectors.joining("  "))
        .stripTrailing();
  }

  private static String padded(String text, int width, boolean left) {
    String space = " ".repeat(width - text.length());
    return left ? text + space : space + text;
  }

  /// Without Markdown formatting.
  static String bare(String text) {
    return text.replace("`", "").replace("**", "");
  }
}
