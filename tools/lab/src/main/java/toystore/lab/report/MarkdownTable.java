package toystore.lab.report;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import java.util.function.ToIntFunction;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import toystore.lab.stats.ConfidenceInterval;

/// A table in Markdown as a list of columns, and figures as they stand in it. One thread.
///
/// @param <T> what a row is about
final class MarkdownTable<T> {
  static final String MISSING = "–";

  private final List<Column<T>> columns = new ArrayList<>();

  private record Column<R>(String header, String rule, Function<R, String> cell) {}

  MarkdownTable<T> text(String header, Function<T, String> cell) {
    columns.add(new Column<>(header, "---", cell));
    return this;
  }

  /// Adds a column that is aligned at the right.
  MarkdownTable<T> figure(String header, Function<T, String> cell) {
    columns.add(new Column<>(header, "--:", cell));
    return this;
  }

  MarkdownTable<T> count(String header, ToIntFunction<T> cell) {
    return figure(header, it -> Integer.toString(cell.applyAsInt(it)));
  }

  /// @return empty text if there is no row
  String of(Collection<T> rows) {
    if (rows.isEmpty()) {
      return "";
    }
    String rules = columns.stream().map(Column::rule).collect(Collectors.joining("|", "|", "|"));
    return Stream.concat(
            Stream.of(line(Column::header), rules),
            rows.stream().map(row -> line(it -> it.cell().apply(row))))
        .collect(Collectors.joining("\n"));
  }

  private String line(Function<Column<T>, String> text) {
    return columns.stream()
        .map(it -> text.apply(it).replace("|", "\\|"))
        .collect(Collectors.joining(" | ", "| ", " |"));
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
    int digits = digits(figure.value());
    String value = number(figure.value(), digits);
    return figure.isBounded()
        ? value + " [" + number(figure.low(), digits) + ", " + number(figure.high(), digits) + "]"
        : value;
  }

  static String percent(double share) {
    return number(100 * share) + " %";
  }
}
