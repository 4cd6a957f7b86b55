package toystore.gatling;

import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/// A chart of lines with points over whole numbers (clients), as one self-contained SVG.
///
/// The SVG is written by hand: a JDK on a minimal machine has no fontconfig, and without it every
/// chart library that goes through AWT fails at its first font. The browser that shows the file has
/// fonts of its own. Colours follow the reader's light or dark mode; lines differ in dash and point
/// as well, for whoever does not see the colours.
///
/// @param lines at least one, at most as many as there are [#STYLES]
record LineChart(String title, String description, String xLabel, String yLabel, List<Line> lines) {
  private static final List<Style> STYLES =
      List.of(
          new Style("#1668b8", "#6db3f2", "none", true),
          new Style("#c2410c", "#fb923c", "8 4", false),
          new Style("#15803d", "#4ade80", "2 4", true),
          new Style("#7e22ce", "#c084fc", "10 3 2 3", false));

  // in pixels of the view box; the plot lies between these edges
  private static final int WIDTH = 760;
  private static final int HEIGHT = 440;
  private static final int LEFT = 90;
  private static final int RIGHT = 620;
  private static final int TOP = 60;
  private static final int BOTTOM = 370;

  /// One named line through its points, in rising order of x.
  record Line(String name, List<Point> points) {}

  record Point(int x, double y) {}

  private record Style(String light, String dark, String dashes, boolean round) {}

  LineChart {
    if (lines.isEmpty() || lines.size() > STYLES.size()) {
      throw new IllegalArgumentException(
          "a chart holds 1 to " + STYLES.size() + " lines, found " + lines.size());
    }
    lines = List.copyOf(lines);
  }

  String svg() {
    var svg = new StringBuilder();
    open(svg);
    yAxis(svg);
    xAxis(svg);
    for (int i = 0; i < lines.size(); i++) {
      draw(lines.get(i), i, svg);
      legend(lines.get(i), i, svg);
    }
    return svg.append("</svg>\n").toString();
  }

  private void open(StringBuilder svg) {
    svg.append(
        """
        <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" role="img" aria-labelledby="title desc">
        <title id="title">%s</title>
        <desc id="desc">%s</desc>
        <style>
        svg { background: #ffffff; color: #1f2937; font: 14px system-ui, sans-serif; }
        text { fill: currentColor; }
        .grid { stroke: currentColor; stroke-opacity: 0.15; }
        .axis { stroke: currentColor; stroke-opacity: 0.7; }
        .line { fill: none; stroke-width: 2.5; stroke-linejoin: round; }
        %s@media (prefers-color-scheme: dark) {
        svg { background: #111827; color: #e5e7eb; }
        %s}
        </style>
        <text x="%d" y="32" font-size="18" font-weight="600">%s</text>
        """
            .formatted(
                WIDTH,
                HEIGHT,
                escaped(title),
                escaped(description),
                colours(false),
                colours(true),
                LEFT,
                escaped(title)));
  }

  private String colours(boolean dark) {
    var rules = new StringBuilder();
    for (int i = 0; i < lines.size(); i++) {
      String colour = dark ? STYLES.get(i).dark() : STYLES.get(i).light();
      rules.append(".s%d { stroke: %s; } .p%d { fill: %s; }\n".formatted(i, colour, i, colour));
    }
    return rules.toString();
  }

  private void yAxis(StringBuilder svg) {
    double step = step(highest());
    for (int i = 0; i * step <= top() + step / 2; i++) {
      double y = yPixel(i * step);
      svg.append(
          format(
              "<line class=\"grid\" x1=\"%d\" y1=\"%.1f\" x2=\"%d\" y2=\"%.1f\"/>\n",
              LEFT, y, RIGHT, y));
      svg.append(
          format(
              "<text x=\"%d\" y=\"%.1f\" text-anchor=\"end\">%s</text>\n",
              LEFT - 10, y + 5, format(step < 1 ? "%,.1f" : "%,.0f", i * step)));
    }
    svg.append(
        format(
            "<text transform=\"translate(24 %d) rotate(-90)\" text-anchor=\"middle\">%s</text>\n",
            (TOP + BOTTOM) / 2, escaped(yLabel)));
  }

  private void xAxis(StringBuilder svg) {
    svg.append(
        format(
            "<line class=\"axis\" x1=\"%d\" y1=\"%d\" x2=\"%d\" y2=\"%d\"/>\n",
            LEFT, BOTTOM, RIGHT, BOTTOM));
    for (int x : allX()) {
      svg.append(
          format(
              "<text x=\"%.1f\" y=\"%d\" text-anchor=\"middle\">%d</text>\n",
              xPixel(x), BOTTOM + 24, x));
    }
    svg.append(
        format(
            "<text x=\"%d\" y=\"%d\" text-anchor=\"middle\">%s</text>\n",
            (LEFT + RIGHT) / 2, BOTTOM + 52, escaped(xLabel)));
  }

  private void draw(Line line, int style, StringBuilder svg) {
    String path =
        line.points().stream()
            .map(point -> format("%.1f,%.1f", xPixel(point.x()), yPixel(point.y())))
            .collect(Collectors.joining(" "));
    svg.append(
        format(
            "<polyline class=\"line s%d\" stroke-dasharray=\"%s\" points=\"%s\"/>\n",
            style, STYLES.get(style).dashes(), path));
    for (Point point : line.points()) {
      String tip =
          format("%s, %s: %d, %s: %,.1f", line.name(), xLabel, point.x(), yLabel, point.y());
      mark(xPixel(point.x()), yPixel(point.y()), style, tip, svg);
    }
  }

  private static void legend(Line line, int style, StringBuilder svg) {
    int y = TOP + 10 + 26 * style;
    int x = RIGHT + 20;
    svg.append(
        format(
            "<line class=\"line s%d\" stroke-dasharray=\"%s\" x1=\"%d\" y1=\"%d\" x2=\"%d\" y2=\"%d\"/>\n",
            style, STYLES.get(style).dashes(), x, y, x + 36, y));
    mark(x + 18, y, style, line.name(), svg);
    svg.append(format("<text x=\"%d\" y=\"%d\">%s</text>\n", x + 46, y + 5, escaped(line.name())));
  }

  private static void mark(double x, double y, int style, String tip, StringBuilder svg) {
    String shape =
        STYLES.get(style).round()
            ? format("<circle class=\"p%d\" cx=\"%.1f\" cy=\"%.1f\" r=\"4.5\">", style, x, y)
            : format(
                "<rect class=\"p%d\" x=\"%.1f\" y=\"%.1f\" width=\"9\" height=\"9\">",
                style, x - 4.5, y - 4.5);
    String end = STYLES.get(style).round() ? "</circle>" : "</rect>";
    svg.append(shape).append("<title>").append(escaped(tip)).append("</title>").append(end);
    svg.append('\n');
  }

  private double xPixel(int x) {
    List<Integer> all = allX();
    int first = all.getFirst();
    int last = all.getLast();
    double share = first == last ? 0.5 : (double) (x - first) / (last - first);
    int margin = 24;
    return LEFT + margin + share * (RIGHT - LEFT - 2 * margin);
  }

  // from zero, so that heights may be compared
  private double yPixel(double y) {
    return BOTTOM - y / top() * (BOTTOM - TOP);
  }

  private double top() {
    double step = step(highest());
    return Math.max(1, Math.ceil(highest() / step)) * step;
  }

  private double highest() {
    return lines.stream()
        .flatMap(line -> line.points().stream())
        .mapToDouble(Point::y)
        .max()
        .orElse(1);
  }

  private List<Integer> allX() {
    return lines.stream()
        .flatMap(line -> line.points().stream())
        .map(Point::x)
        .distinct()
        .sorted()
        .toList();
  }

  /// The distance of the grid's lines: 1, 2 or 5 times a power of ten, so that about five fit.
  private static double step(double highest) {
    double rough = Math.max(highest, 1e-3) / 5;
    double power = Math.pow(10, Math.floor(Math.log10(rough)));
    double digit = rough / power;
    return power * (digit <= 1 ? 1 : digit <= 2 ? 2 : digit <= 5 ? 5 : 10);
  }

  private static String format(String pattern, Object... values) {
    return String.format(Locale.ROOT, pattern, values);
  }

  private static String escaped(String text) {
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;");
  }
}
