package toystore.gatling.report;

import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// A line chart with points and intervals, as one self-contained SVG.
///
/// The SVG is written directly: a JDK on a minimal machine has no fontconfig, and without it every
/// chart library that uses AWT fails at its first font. The browser that shows the file has its own
/// fonts. Colours follow the reader's light or dark mode. Lines also differ in dashes and point
/// shapes, for readers who cannot distinguish the colours.
///
/// @param name of its file, and prefix of its ids, because one page may contain several charts
/// @param logarithmic whether the x axis is logarithmic
/// @param lines at most [#MOST_LINES]
record LineChart(
    String name,
    String title,
    String description,
    String xLabel,
    String yLabel,
    boolean logarithmic,
    List<Line> lines) {
  static final int MOST_LINES = LineStyle.ALL.size();

  // in pixels of the view box; the edges of the plot
  private static final int WIDTH = 760;
  private static final int HEIGHT = 440;
  private static final int LEFT = 90;
  private static final int RIGHT = 600;
  private static final int TOP = 60;
  private static final int BOTTOM = 370;
  private static final int MARGIN = 24;
  private static final int LABEL_WIDTH = 34;

  /// One named line through its points, in ascending order of x.
  record Line(String name, List<Point> points) {
    Line {
      points = List.copyOf(points);
    }
  }

  record Point(double x, Estimate y) {}

  LineChart {
    if (lines.size() > MOST_LINES) {
      throw new IllegalArgumentException(
          "expected at most %d lines, found %d".formatted(MOST_LINES, lines.size()));
    }
    lines = List.copyOf(lines);
  }

  /// Its file name in the report's folder.
  String file() {
    return name + ".svg";
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
        <svg xmlns="http://www.w3.org/2000/svg" class="chart" viewBox="0 0 %d %d" role="img" aria-labelledby="%s-title %s-desc">
        <title id="%s-title">%s</title>
        <desc id="%s-desc">%s</desc>
        <style>
        .chart { background: #ffffff; color: #1f2937; font: 14px system-ui, sans-serif; }
        .chart text { fill: currentColor; }
        .chart .grid { stroke: currentColor; stroke-opacity: 0.15; }
        .chart .axis { stroke: currentColor; stroke-opacity: 0.7; }
        .chart .line { fill: none; stroke-width: 2.5; stroke-linejoin: round; }
        .chart .interval { fill: none; stroke-width: 1.5; }
        %s@media (prefers-color-scheme: dark) {
        .chart { background: #111827; color: #e5e7eb; }
        %s}
        </style>
        <text x="%d" y="32" font-size="18" font-weight="600">%s</text>
        """
            .formatted(
                WIDTH,
                HEIGHT,
                name,
                name,
                name,
                HtmlPage.escaped(title),
                name,
                HtmlPage.escaped(description),
                LineStyle.colours(false),
                LineStyle.colours(true),
                LEFT,
                HtmlPage.escaped(title)));
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
              LEFT - 10, y + 5, Numbers.brief(i * step)));
    }
    svg.append(
        format(
            "<text transform=\"translate(24 %d) rotate(-90)\" text-anchor=\"middle\">%s</text>\n",
            (TOP + BOTTOM) / 2, HtmlPage.escaped(yLabel)));
  }

  private void xAxis(StringBuilder svg) {
    svg.append(
        format(
            "<line class=\"axis\" x1=\"%d\" y1=\"%d\" x2=\"%d\" y2=\"%d\"/>\n",
            LEFT, BOTTOM, RIGHT, BOTTOM));
    double last = Double.NEGATIVE_INFINITY;
    for (double x : allX()) {
      if (xPixel(x) - last >= LABEL_WIDTH) { // labels must not overlap
        last = xPixel(x);
        svg.append(
            format(
                "<text x=\"%.1f\" y=\"%d\" text-anchor=\"middle\">%s</text>\n",
                last, BOTTOM + 24, Numbers.brief(x)));
      }
    }
    svg.append(
        format(
            "<text x=\"%d\" y=\"%d\" text-anchor=\"middle\">%s</text>\n",
            (LEFT + RIGHT) / 2, BOTTOM + 52, HtmlPage.escaped(xLabel)));
  }

  private void draw(Line line, int style, StringBuilder svg) {
    String path =
        line.points().stream()
            .map(point -> format("%.1f,%.1f", xPixel(point.x()), yPixel(point.y().value())))
            .collect(Collectors.joining(" "));
    svg.append(
        format(
            "<polyline class=\"line s%d\" stroke-dasharray=\"%s\" points=\"%s\"/>\n",
            style, LineStyle.ALL.get(style).dashes(), path));
    for (Point point : line.points()) {
      interval(point, style, svg);
      String tip =
          format(
              "%s, %s: %s, %s: %s %s",
              line.name(),
              xLabel,
              Numbers.brief(point.x()),
              yLabel,
              Numbers.number(point.y().value()),
              Numbers.interval(point.y()));
      svg.append(LineStyle.mark(xPixel(point.x()), yPixel(point.y().value()), style, tip));
    }
  }

  private void interval(Point point, int style, StringBuilder svg) {
    if (point.y().isKnown()) {
      double x = xPixel(point.x());
      double low = yPixel(Math.max(0, point.y().low()));
      double high = yPixel(point.y().high());
      svg.append(
          format(
              "<path class=\"interval s%d\" d=\"M%.1f %.1fH%.1fM%.1f %.1fV%.1fM%.1f %.1fH%.1f\"/>\n",
              style, x - 5, low, x + 5, x, low, high, x - 5, high, x + 5));
    }
  }

  private static void legend(Line line, int style, StringBuilder svg) {
    int y = TOP + 10 + 26 * style;
    int x = RIGHT + 14;
    svg.append(
        format(
            "<line class=\"line s%d\" stroke-dasharray=\"%s\" x1=\"%d\" y1=\"%d\" x2=\"%d\" y2=\"%d\"/>\n",
            style, LineStyle.ALL.get(style).dashes(), x, y, x + 36, y));
    svg.append(LineStyle.mark(x + 18, y, style, line.name()));
    svg.append(
        format(
            "<text x=\"%d\" y=\"%d\">%s</text>\n", x + 44, y + 5, HtmlPage.escaped(line.name())));
  }

  private double xPixel(double x) {
    List<Double> all = allX();
    double first = scaled(all.getFirst());
    double last = scaled(all.getLast());
    double share = first == last ? 0.5 : (scaled(x) - first) / (last - first);
    return LEFT + MARGIN + share * (RIGHT - LEFT - 2 * MARGIN);
  }

  private double scaled(double x) {
    return logarithmic ? Math.log(x) : x;
  }

  // the axis starts at zero, so heights can be compared
  private double yPixel(double y) {
    return BOTTOM - Math.min(y, top()) / top() * (BOTTOM - TOP);
  }

  private double top() {
    double step = step(highest());
    return Math.max(1, Math.ceil(highest() / step)) * step;
  }

  // a very wide interval is cut off, because it would compress all lines
  private double highest() {
    double highest = of(Point::y).mapToDouble(Estimate::value).max().orElse(1);
    double bound =
        of(Point::y).filter(Estimate::isKnown).mapToDouble(Estimate::high).max().orElse(0);
    return Math.max(highest, Math.min(bound, 1.5 * highest));
  }

  private List<Double> allX() {
    return of(Point::x).distinct().sorted().toList();
  }

  private <T> Stream<T> of(Function<Point, T> coordinate) {
    return lines.stream().flatMap(line -> line.points().stream()).map(coordinate);
  }

  /// The distance of the grid lines: 1, 2 or 5 times a power of ten, so that about five lines fit.
  private static double step(double highest) {
    double rough = Math.max(highest, 1e-6) / 5;
    double power = Math.pow(10, Math.floor(Math.log10(rough)));
    double digit = rough / power;
    return power * (digit <= 1 ? 1 : digit <= 2 ? 2 : digit <= 5 ? 5 : 10);
  }

  private static String format(String pattern, Object... values) {
    return String.format(Locale.ROOT, pattern, values);
  }
}
