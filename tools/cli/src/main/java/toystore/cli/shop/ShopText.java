package toystore.cli.shop;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import tools.jackson.databind.JsonNode;
import toystore.cli.command.AmountText;

/// An answer of the API as text, with amounts of money to at least two decimals: a list as a table
/// with a column for each field, below its name if there is more; anything else as one line for
/// each field. Control characters, with which a seller's text could change the terminal, are
/// replaced.
final class ShopText {
  private static final Set<String> UNTITLED = Set.of("token", "next", "message");

  /// The exchange sends amounts as text.
  private static final Set<String> MONEY = Set.of("price", "limit", "cash", "reserved_cash");

  private ShopText() {}

  /// @param more how to continue a list, before the last part of it that is shown
  static String of(JsonNode answer, String more) {
    var lines = new ArrayList<String>();
    if (answer.has("message")) {
      lines.add(cell("message", answer.path("message")));
    }
    List<String> titled =
        answer.propertyNames().stream().filter(it -> !UNTITLED.contains(it)).toList();
    for (String field : titled) {
      JsonNode value = answer.path(field);
      if (value.isObject()) {
        lines.add(of(value, more));
      } else if (value.isArray() && (value.isEmpty() || value.get(0).isObject())) {
        if (titled.size() > 1) {
          lines.add(title(field) + ":");
        }
        lines.add(value.isEmpty() ? "none" : table(value));
      } else if (!value.isNull()) {
        lines.add(title(field) + ": " + cell(field, value));
      }
    }
    if (answer.hasNonNull("next")) {
      lines.add(more + cell("next", answer.path("next")));
    }
    return String.join(System.lineSeparator(), lines);
  }

  private static String table(JsonNode items) {
    var fields = new LinkedHashSet<String>();
    items.forEach(item -> fields.addAll(item.propertyNames()));
    var rows = new ArrayList<List<String>>();
    rows.add(fields.stream().map(ShopText::title).toList());
    items.forEach(
        item -> rows.add(fields.stream().map(field -> cell(field, item.path(field))).toList()));
    var columns = List.copyOf(fields);
    String format =
        IntStream.range(0, columns.size())
            .mapToObj(column -> {
              boolean right =
                  MONEY.contains(columns.get(column))
                      || items.get(0).path(columns.get(column)).isNumber();
              int width = rows.stream().mapToInt(row -> row.get(column).length()).max().orElse(1);
              return "%" + (right ? "" : "-") + width + "s";
            })
            .collect(Collectors.joining("  "));
    return rows.stream()
        .map(row -> String.format(Locale.ROOT, format, row.toArray()).stripTrailing())
        .collect(Collectors.joining(System.lineSeparator()));
  }

  private static String title(String field) {
    return field.replace('_', ' ').toUpperCase(Locale.ROOT);
  }

  private static String cell(String field, JsonNode value) {
    if (value.isArray()) {
      return value.valueStream().map(it -> cell(field, it)).collect(Collectors.joining(","));
    }
    if (value.isNumber() && !value.isIntegralNumber()) {
      return AmountText.money(value.decimalValue());
    }
    String text = printable(value.isMissingNode() || value.isNull() ? "" : value.asString());
    return MONEY.contains(field) ? AmountText.money(text) : text;
  }

  /// The text without control characters.
  static String printable(String text) {
    return text.replaceAll("\\p{Cntrl}|\\p{Cf}", "?");
  }
}
