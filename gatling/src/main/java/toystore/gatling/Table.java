package toystore.gatling;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/// Cells as aligned text, one line each, latencies in whole µs with thousands separators.
final class Table {
  private static final List<String> HEADER =
      List.of("clients", "kind", "count", "mean", "p50", "p95", "p99", "max", "answers/s");
  private static final int KIND = 1;
  private static final String GAP = "  ";

  private Table() {}

  /// Ends with a line break.
  static String of(List<Cell> cells) {
    var rows = new ArrayList<List<String>>();
    rows.add(HEADER);
    cells.forEach(cell -> rows.add(row(cell)));
    int[] widths = widths(rows);
    var text = new StringBuilder();
    for (List<String> row : rows) {
      text.append(line(row, widths)).append('\n');
    }
    return text.append("latencies in µs\n").toString();
  }

  private static List<String> row(Cell cell) {
    return List.of(
        number(cell.clients()),
        cell.kind(),
        number(cell.count()),
        number(Math.round(cell.meanMicros())),
        number(cell.p50Micros()),
        number(cell.p95Micros()),
        number(cell.p99Micros()),
        number(cell.maxMicros()),
        number(Math.round(cell.perSecond())));
  }

  private static String number(long value) {
    return String.format(Locale.ROOT, "%,d", value);
  }

  private static int[] widths(List<List<String>> rows) {
    var widths = new int[HEADER.size()];
    for (List<String> row : rows) {
      for (int column = 0; column < widths.length; column++) {
        widths[column] = Math.max(widths[column], row.get(column).length());
      }
    }
    return widths;
  }

  private static String line(List<String> row, int[] widths) {
    var fields = new ArrayList<String>();
    for (int column = 0; column < widths.length; column++) {
      String side = column == KIND ? "-" : "";
      fields.add(String.format("%" + side + widths[column] + "s", row.get(column)));
    }
    return String.join(GAP, fields).stripTrailing();
  }
}
