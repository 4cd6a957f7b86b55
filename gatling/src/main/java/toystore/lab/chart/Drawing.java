package toystore.lab.chart;

import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// The elements of an SVG, drawn from top to bottom: each chart moves the cursor below what it has
/// drawn, and the view box ends there. One thread.
final class Drawing {
  static final double FONT = 13;
  static final double LINE_HEIGHT = 18;
  static final double PADDING = 12;
  static final double RADIUS = 4;
  private static final double TITLE_FONT = 16;
  private static final double TITLE_BOLD = 1.12; // bold text is wider
  private static final double SAMPLE = 34;

  private final StringBuilder elements = new StringBuilder();
  private final ChartLayout layout;
  private double cursor = PADDING;

  Drawing(ChartLayout layout) {
    this.layout = layout;
  }

  boolean narrow() {
    return layout != ChartLayout.WIDE;
  }

  double plotHeight() {
    return layout.plotHeight();
  }

  double left() {
    return PADDING;
  }

  double right() {
    return layout.width() - PADDING;
  }

  double cursor() {
    return cursor;
  }

  void moveTo(double y) {
    cursor = y;
  }

  /// The title, wrapped, above everything that follows.
  void title(String title) {
    double width = right() - left();
    for (String line : TextWidth.wrapped(title, TITLE_FONT * TITLE_BOLD, width, 4)) {
      String shown = TextWidth.shortened(line, TITLE_FONT * TITLE_BOLD, width);
      cursor += 20;
      element("<text class=\"title\" x=\"%.1f\" y=\"%.1f\">", left(), cursor - 4)
          .append(escaped(shown))
          .append(shown.equals(line) ? "" : tip(line))
          .append("</text>\n");
    }
    cursor += 6;
  }

  /// Where a text's x lies in it.
  enum Anchor {
    START,
    MIDDLE,
    END
  }

  /// A text of one line; a wider one is shortened and has its full text as tooltip.
  void text(double x, double y, Anchor anchor, String text, double width) {
    String shown = TextWidth.shortened(text, FONT, width);
    element(
            "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\">",
            x, y, anchor.name().toLowerCase(Locale.ROOT))
        .append(escaped(shown))
        .append(shown.equals(text) ? "" : tip(text))
        .append("</text>\n");
  }

  /// Lines from the cursor downwards.
  void paragraph(String text, double x, Anchor anchor, double width) {
    for (String line : TextWidth.wrapped(text, FONT, width, 4)) {
      cursor += LINE_HEIGHT;
      text(x, cursor - 5, anchor, line, width);
    }
  }

  void line(String cssClass, double x1, double y1, double x2, double y2) {
    element(
        "<line class=\"%s\" x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\"/>\n",
        cssClass, x1, y1, x2, y2);
  }

  void band(double x, double y, double width, double height) {
    element(
        "<rect class=\"band\" x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\"/>\n",
        x, y, width, height);
  }

  void polyline(SeriesStyle style, List<double[]> points) {
    elements.append("<polyline class=\"line ").append(style.cssClass()).append("\" points=\"");
    for (double[] point : points) {
      element("%.1f,%.1f ", point[0], point[1]);
    }
    elements.append("\"/>\n");
  }

  /// An interval with a cap at each end, or an arrow where it was cut at the edge of the plot.
  void interval(
      boolean horizontal,
      double across,
      double from,
      double to,
      boolean cutFrom,
      boolean cutTo,
      @Nullable SeriesStyle style) {
    var path = new StringBuilder(segment(horizontal, across, from, across, to));
    double direction = Math.signum(to - from);
    path.append(end(horizontal, across, from, direction, cutFrom));
    path.append(end(horizontal, across, to, -direction, cutTo));
    element(
        "<path class=\"interval%s%s\" d=\"%s\"/>\n",
        cutFrom || cutTo ? " cut" : "", style == null ? "" : " " + style.cssClass(), path);
  }

  private static String end(
      boolean horizontal, double across, double at, double inwards, boolean cut) {
    double back = cut ? at + 6 * inwards : at;
    return cut
        ? segment(horizontal, across - 4, back, across, at)
            + segment(horizontal, across, at, across + 4, back)
        : segment(horizontal, across - 4, at, across + 4, at);
  }

  private static String segment(
      boolean horizontal, double across1, double along1, double across2, double along2) {
    return horizontal
        ? String.format(Locale.ROOT, "M%.1f,%.1f L%.1f,%.1f ", along1, across1, along2, across2)
        : String.format(Locale.ROOT, "M%.1f,%.1f L%.1f,%.1f ", across1, along1, across2, along2);
  }

  /// A point with a tooltip; without a style it has the text's colour.
  void mark(
      double x,
      double y,
      double radius,
      @Nullable SeriesStyle style,
      DataPoint.Mark state,
      String tip) {
    SeriesStyle shape = style == null ? SeriesStyle.CIRCLE : style;
    String colour = style == null ? "" : " " + style.cssClass();
    String[] tags =
        switch (state) {
          case MEASURED -> shape.mark((radius < RADIUS ? "start" : "mark") + colour, x, y, radius);
          case DRIFTING -> shape.mark("hollow drifting" + colour, x, y, radius);
          case OVERLOADED -> SeriesStyle.cross("hollow overloaded" + colour, x, y, radius);
          case PUBLISHED -> SeriesStyle.star("hollow published" + colour, x, y, radius);
        };
    elements.append(tags[0]).append(tip.isEmpty() ? "" : tip(tip)).append(tags[1]).append('\n');
  }

  /// Samples of the series and of unusual points, side by side as far as they fit.
  void legend(List<String> series, boolean lines, Set<DataPoint.Mark> marks) {
    double x = left();
    cursor += LINE_HEIGHT;
    for (int i = 0; i < series.size(); i++) {
      SeriesStyle style = SeriesStyle.of(i);
      x = entry(x, series.get(i));
      if (lines) {
        line("line " + style.cssClass(), x, cursor - 5, x + SAMPLE - 6, cursor - 5);
      }
      mark(x + SAMPLE / 2 - 3, cursor - 5, RADIUS, style, DataPoint.Mark.MEASURED, "");
      x += entryWidth(series.get(i));
    }
    var unusual = EnumSet.noneOf(DataPoint.Mark.class);
    unusual.addAll(marks);
    unusual.remove(DataPoint.Mark.MEASURED);
    for (DataPoint.Mark state : unusual) {
      x = entry(x, state.label());
      mark(x + SAMPLE / 2 - 3, cursor - 5, RADIUS, null, state, "");
      x += entryWidth(state.label());
    }
  }

  // writes the label and returns where its sample starts: on the next line if it does not fit
  private double entry(double x, String label) {
    double start = x;
    if (x > left() && x + entryWidth(label) > right()) {
      start = left();
      cursor += LINE_HEIGHT + 2;
    }
    text(start + SAMPLE, cursor, Anchor.START, label, right() - start - SAMPLE);
    return start;
  }

  private static double entryWidth(String label) {
    return SAMPLE + TextWidth.of(label, FONT) + 14;
  }

  String svg(Chart chart, String id, String cssClass, String style) {
    return """
    <svg xmlns="http://www.w3.org/2000/svg" class="%s" viewBox="0 0 %d %d" role="img" aria-labelledby="%s-title %s-desc">
    <title id="%s-title">%s</title>
    <desc id="%s-desc">%s</desc>
    %s%s</svg>
    """
        .formatted(
            cssClass,
            layout.width(),
            (long) Math.ceil(cursor + PADDING),
            id,
            id,
            id,
            escaped(chart.title()),
            id,
            escaped(chart.description()),
            style.isEmpty() ? "" : "<style>\n" + style + "</style>\n",
            elements);
  }

  private StringBuilder element(String pattern, Object... values) {
    return elements.append(String.format(Locale.ROOT, pattern, values));
  }

  private static String tip(String text) {
    return "<title>" + escaped(text) + "</title>";
  }

  private static String escaped(String text) {
    return text.replaceAll("\\p{Cntrl}", " ")
        .replace("&", "&amp;")
        .replace("<", "&lt;")
        .replace(">", "&gt;");
  }
}
