package toystore.lab.chart;

import static toystore.common.RootLocale.format;

import java.util.List;
import java.util.Locale;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import toystore.lab.chart.DataPoint.Mark;
import toystore.lab.stats.ConfidenceInterval;

/// The elements of an SVG, drawn from top to bottom: each chart moves the cursor below what it has
/// drawn, and the view box ends there. One thread.
final class Drawing {
  static final double FONT = 13;
  static final double LINE_HEIGHT = 18;
  private static final double PADDING = 12;
  private static final double TITLE_FONT = 16;
  private static final double TITLE_BOLD = 1.12; // bold text is wider
  private static final double SAMPLE = 28; // width of a sample in the legend
  private static final int MOST_LINES = 4;

  private final StringBuilder elements = new StringBuilder();
  private final ChartLayout layout;
  private double cursor = PADDING;

  /// Where a text's x lies in it.
  enum Anchor {
    START,
    MIDDLE,
    END
  }

  Drawing(ChartLayout layout) {
    this.layout = layout;
  }

  boolean narrow() {
    return layout == ChartLayout.NARROW;
  }

  double plotHeight() {
    return layout.plotHeight;
  }

  int mostTicks() {
    return narrow() ? 6 : 10;
  }

  double left() {
    return PADDING;
  }

  double right() {
    return layout.width - PADDING;
  }

  double width() {
    return right() - left();
  }

  double cursor() {
    return cursor;
  }

  void moveTo(double y) {
    cursor = y;
  }

  /// The title, wrapped, above everything that follows.
  void title(String title) {
    double font = TITLE_FONT * TITLE_BOLD;
    for (String line : TextWidth.wrapped(title, font, width(), MOST_LINES)) {
      cursor += 20;
      text("title", left(), cursor - 4, Anchor.START, line, font, width());
    }
    cursor += 6;
  }

  /// Lines from the cursor downwards.
  void paragraph(String text, double x, Anchor anchor, double width) {
    for (String line : TextWidth.wrapped(text, FONT, width, MOST_LINES)) {
      cursor += LINE_HEIGHT;
      text(x, cursor - 5, anchor, line, width);
    }
  }

  /// A text of one line; a wider one is shortened and has its full text as tooltip.
  void text(double x, double y, Anchor anchor, String text, double width) {
    text("label", x, y, anchor, text, FONT, width);
  }

  private void text(
      String cssClass, double x, double y, Anchor anchor, String text, double font, double width) {
    String shown = TextWidth.shortened(text, font, width);
    String tip = shown.equals(text) ? "" : tip(text);
    element(
        "<text class=\"%s\" x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\">%s%s</text>\n",
        cssClass, x, y, anchor.name().toLowerCase(Locale.ROOT), escaped(shown), tip);
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

  /// @param points as `1.0,2.0 3.0,4.0`
  void polyline(SeriesStyle style, String points) {
    element("<polyline class=\"line %s\" points=\"%s\"/>\n", style.cssClass(), points);
  }

  /// An interval with a cap at each end, or an arrow where it leaves the axis.
  void interval(
      Axis axis, boolean horizontal, double across, ConfidenceInterval bar, SeriesStyle style) {
    if (bar.isBounded()) {
      boolean cutLow = !axis.scale().contains(bar.low());
      boolean cutHigh = !axis.scale().contains(bar.high());
      double arrow = axis.from() < axis.to() ? 6 : -6;
      double low = axis.clipped(bar.low());
      double high = axis.clipped(bar.high());
      element(
          "<path class=\"interval%s %s\" d=\"M%s L%s%s%s\"/>\n",
          cutLow || cutHigh ? " cut" : "",
          style.cssClass(),
          point(horizontal, low, across),
          point(horizontal, high, across),
          end(horizontal, low, cutLow ? low + arrow : low, across),
          end(horizontal, high, cutHigh ? high - arrow : high, across));
    }
  }

  private static String end(boolean horizontal, double at, double back, double across) {
    return format(
        " M%s L%s L%s",
        point(horizontal, back, across - 4),
        point(horizontal, at, across),
        point(horizontal, back, across + 4));
  }

  private static String point(boolean horizontal, double along, double across) {
    return horizontal ? point(along, across) : point(across, along);
  }

  static String point(double x, double y) {
    return format("%.1f,%.1f", x, y);
  }

  /// A point with a tooltip. Without a style it is a circle in the text's colour.
  void mark(Mark mark, @Nullable SeriesStyle style, double x, double y, String tip) {
    String path =
        switch (mark) {
          case MEASURED, START, DRIFTING -> (style == null ? SeriesStyle.CIRCLE : style).path;
          case OVERLOADED -> SeriesStyle.CROSS;
          case PUBLISHED -> SeriesStyle.STAR;
        };
    element(
        "<path class=\"%s%s\" transform=\"translate(%s)%s\" d=\"%s\">%s</path>\n",
        mark.cssClass(),
        style == null ? "" : " " + style.cssClass(),
        point(x, y),
        mark == Mark.START ? " scale(0.6)" : "",
        path,
        tip.isEmpty() ? "" : tip(tip));
  }

  /// Samples of the series and of special points, side by side as far as they fit.
  void legend(List<DataSeries> series, boolean lines) {
    double x = left();
    cursor += LINE_HEIGHT;
    for (int i = 0; i < series.size(); i++) {
      x = entry(x, series.get(i).name(), Mark.MEASURED, SeriesStyle.of(i), lines);
    }
    var marks =
        DataSeries.points(series)
            .map(DataPoint::mark)
            .collect(Collectors.toCollection(TreeSet::new));
    marks.remove(Mark.MEASURED);
    for (Mark mark : marks) {
      x = entry(x, mark.label, mark, null, false);
    }
  }

  // starts on the next line if it does not fit, and returns where it ends
  private double entry(
      double x, String label, Mark mark, @Nullable SeriesStyle style, boolean line) {
    double width = SAMPLE + 6 + TextWidth.of(label, FONT);
    double start = x;
    if (x > left() && x + width > right()) {
      start = left();
      cursor += LINE_HEIGHT + 2;
    }
    if (line && style != null) {
      line("line " + style.cssClass(), start, cursor - 5, start + SAMPLE, cursor - 5);
    }
    mark(mark, style, start + SAMPLE / 2, cursor - 5, "");
    double text = start + SAMPLE + 6;
    text(text, cursor, Anchor.START, label, right() - text);
    return start + width + 14;
  }

  /// @param style CSS that the chart contains, may be empty
  String svg(Chart chart, String id, String cssClass, String style) {
    return format(
        """
        <svg xmlns="http://www.w3.org/2000/svg" class="%1$s" viewBox="0 0 %2$d %3$d" role="img" aria-labelledby="%4$s-title %4$s-desc">
        <title id="%4$s-title">%5$s</title>
        <desc id="%4$s-desc">%6$s</desc>
        %7$s%8$s</svg>
        """,
        cssClass,
        layout.width,
        (long) Math.ceil(cursor + PADDING),
        id,
        escaped(chart.title()),
        escaped(chart.description()),
        style.isEmpty() ? "" : "<style>\n" + style + "</style>\n",
        elements);
  }

  private void element(String pattern, Object... values) {
    elements.append(String.format(Locale.ROOT, pattern, values));
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
