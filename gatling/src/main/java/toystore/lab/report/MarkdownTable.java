package toystore.lab.report;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import toystore.lab.stats.ConfidenceInterval;

/// A table in Markdown, and figures as they stand in it. One thread.
final class MarkdownTable {
  static final String MISSING = "–";

  private final List<String> lines = new ArrayList<>();

  /// The first column is text, all others are figures.
  MarkdownTable(List<String> columns) {
    this(columns, false);
  }

  /// @param lastIsText whether the last column is text
  MarkdownTable(List<String> columns, boolean lastIsText) {
    lines.add(line(columns));
    String figures = "|--:".repeat(columns.size() - (lastIsText ? 2 : 1));
    lines.add("|---" + figures + (lastIsText ? "|---|" : "|"));
  }

  void add(List<String> cells) {
    lines.add(line(cells));
  }

  void add(Stream<String> cells) {
    add(cells.toList());
  }

  private static String line(List<String> cells) {
    return cells.stream()
        .map(it -> it.replace("|", "\\|"))
        .collect(Collectors.joining(" | ", "| ", " |"));
  }

  /// Empty if it has no rows.
  String markdown() {
    return lines.size() == 2 ? "" : String.join("\n", lines);
  }

  /// With three significant digits, as `0.396` or `1,842`.
  static String number(double value) {
    return number(value, digits(value));
  }

  private static String number(double value, int digits) {
    return String.format(Locale.ROOT, "%,." + digits + "f", value);
  }

  private static int digits(double value) {
    return value == 0 ? 0 : (int) Math.clamp(2 - Math.floor(Math.log10(Math.abs(value))), 0, 6);
  }

  /// As `0.396 [0.342, 0.450]`, or without interval from one block.
  static String number(ConfidenceInterval figure) {
    return number(figure, 1);
  }

  /// @param unit by which the figure is divided
  static String number(ConfidenceInterval figure, double unit) {
    int digits = digits(figure.value() / unit);
    String value = number(figure.value() / unit, digits);
    return figure.isBounded()
        ? "%s [%s, %s]"
            .formatted(
                value, number(figure.low() / unit, digits), number(figure.high() / unit, digits))
        : value;
  }

  static String percent(double share) {
    return number(100 * share) + " %";
  }
}
