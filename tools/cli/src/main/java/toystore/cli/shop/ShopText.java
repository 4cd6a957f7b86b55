package toystore.cli.shop;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.StreamSupport;
import tools.jackson.databind.JsonNode;
import toystore.cli.command.Amounts;

/// An answer of the API as text, with amounts of money to at least two decimals: a list as a table
/// with a column for each field, below its name if there is more; anything else as one line for
/// each field. Control characters, with which a seller's text could change the terminal, are
/// replaced.
final class ShopText {
  private static final Set<String> NOT_SHOWN = Set.of("token", "next");

  /// The exchange sends amounts as text.
  private static final Set<String> MONEY = Set.of("price", "limit", "cash", "reserved_cash");

  private static final Set<String> UNTITLED = Set.of("token", "next", "message");

  private ShopText() {}

  static String of(JsonNode answer) {
    var lines = new ArrayList<String>();
    var shown = answer.properties().stream().filter(it -> !UNTITLED.contains(it.getKey())).count();
    answer
        .properties()
        .forEach(field -> {
          var value = field.getValue();
          if (value.isObject()) {
            lines.add(of(value));
          } else if (value.isArray() && isTable(value)) {
            var title = shown > 1 ? title(field.getKey()) + ":" + System.lineSeparator() : "";
            lines.add(title + (value.isEmpty() ? "none" : table(value)));
          } else if (field.getKey().equals("message")) {
            lines.add(cell(value));
          } else if (!NOT_SHOWN.contains(field.getKey()) && !value.isNull()) {
            lines.add(
                String.format(
                    Locale.ROOT, "%s: %s", title(field.getKey()), cell(field.getKey(), value)));
          }
        });
    if (answer.hasNonNull("next")) {
      lines.add("more: add --after " + cell(answer.path("next")));
    }
    return String.join(System.lineSeparator(), lines);
  }

  private static boolean isTable(JsonNode array) {
    return array.isEmpty() || array.get(0).isObject();
  }

  private static String table(JsonNode rows) {
    var fields = new LinkedHashSet<String>();
    rows.forEach(row -> fields.addAll(row.propertyNames()));
    var cells = new ArrayList<List<String>>();
    cells.add(fields.stream().map(ShopText::title).toList());
    rows.forEach(
        row -> cells.add(fields.stream().map(field -> cell(field, row.path(field))).toList()));
    var widths =
        IntStream.range(0, fields.size())
            .map(column -> cells.stream().mapToInt(row -> row.get(column).length()).max().orElse(0))
            .toArray();
    var right =
        fields.stream()
            .map(field -> MONEY.contains(field) || rows.get(0).path(field).isNumber())
            .toList();
    return cells.stream()
        .map(row ->
            IntStream.range(0, widths.length)
                .mapToObj(column -> padded(row.get(column), widths[column], right.get(column)))
                .collect(Collectors.joining("  "))
                .stripTrailing())
        .collect(Collectors.joining(System.lineSeparator()));
  }

  private static String padded(String text, int width, boolean right) {
    var spaces = " ".repeat(width - text.length());
    return right ? spaces + text : text + spaces;
  }

  private static String title(String field) {
    return field.replace('_', ' ').toUpperCase(Locale.ROOT);
  }

  private static String cell(String field, JsonNode value) {
    if (value.isNumber() && !value.isIntegralNumber()) {
      return Amounts.money(value.decimalValue());
    }
    return MONEY.contains(field) ? Amounts.money(cell(value)) : cell(value);
  }

  private static String cell(JsonNode value) {
    if (value.isArray()) {
      return StreamSupport.stream(value.spliterator(), false)
          .map(ShopText::cell)
          .collect(Collectors.joining(","));
    }
    return printable(value.isMissingNode() || value.isNull() ? "" : value.asString());
  }

  /// The text without control characters.
  static String printable(String text) {
    return text.replaceAll("\\p{Cntrl}|\\p{Cf}", "?");
  }
}
