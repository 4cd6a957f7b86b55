package toystore.gatling.report;

import java.util.List;
import java.util.Locale;

/// The style of a line: colour, dashes and shape of its points.
record LineStyle(String light, String dark, String dashes, Shape shape) {
  static final List<LineStyle> ALL =
      List.of(
          new LineStyle("#1668b8", "#6db3f2", "none", Shape.CIRCLE),
          new LineStyle("#c2410c", "#fb923c", "8 4", Shape.SQUARE),
          new LineStyle("#15803d", "#4ade80", "2 4", Shape.DIAMOND),
          new LineStyle("#7e22ce", "#c084fc", "10 3 2 3", Shape.CIRCLE),
          new LineStyle("#b45309", "#fcd34d", "5 3", Shape.DIAMOND),
          new LineStyle("#be123c", "#fb7185", "1 3", Shape.SQUARE),
          new LineStyle("#0f766e", "#2dd4bf", "12 4", Shape.DIAMOND),
          new LineStyle("#475569", "#cbd5e1", "3 2 8 2", Shape.SQUARE));

  enum Shape {
    CIRCLE("<circle class=\"p%d\" cx=\"%.1f\" cy=\"%.1f\" r=\"4.5\">", "</circle>"),
    SQUARE(
        "<rect class=\"p%d\" x=\"-4.5\" y=\"-4.5\" width=\"9\" height=\"9\" transform=\"translate(%.1f %.1f)\">",
        "</rect>"),
    DIAMOND(
        "<rect class=\"p%d\" x=\"-4.5\" y=\"-4.5\" width=\"9\" height=\"9\" transform=\"translate(%.1f %.1f) rotate(45)\">",
        "</rect>");

    private final String start;
    private final String end;

    Shape(String start, String end) {
      this.start = start;
      this.end = end;
    }
  }

  /// CSS rules for all styles; several charts in one page share the classes.
  static String colours(boolean dark) {
    var rules = new StringBuilder();
    for (int i = 0; i < ALL.size(); i++) {
      String colour = dark ? ALL.get(i).dark() : ALL.get(i).light();
      rules.append(
          ".chart .s%d { stroke: %s; } .chart .p%d { fill: %s; }\n"
              .formatted(i, colour, i, colour));
    }
    return rules.toString();
  }

  /// A point with a tooltip.
  static String mark(double x, double y, int style, String tip) {
    Shape shape = ALL.get(style).shape();
    String start = String.format(Locale.ROOT, shape.start, style, x, y);
    return start + "<title>" + HtmlPage.escaped(tip) + "</title>" + shape.end + "\n";
  }
}
