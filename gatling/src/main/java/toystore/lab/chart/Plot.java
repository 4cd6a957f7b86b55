package toystore.lab.chart;

import java.util.Collection;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.function.DoubleFunction;
import java.util.function.DoubleUnaryOperator;
import java.util.stream.Collectors;

/// A plot with two axes: its edges in the drawing, and what is drawn between them. One thread.
final class Plot {
  /// A line with more points than this has marks on some of them only.
  private static final int MOST_MARKS = 24;

  private static final double INSET = 10;

  private final Drawing drawing;
  private final Scale x;
  private final Scale y;
  private final double left;
  private final double right;
  private final double top;
  private final double bottom;

  /// A place on the x axis with its label.
  record Tick(double value, String label) {
    static List<Tick> of(Collection<Double> values) {
      return values.stream().map(it -> new Tick(it, Scale.label(it))).toList();
    }
  }

  /// Draws both axes below the cursor, and moves the cursor below them.
  Plot(Drawing drawing, Scale x, Scale y, double height) {
    List<Double> ticks = y.ticks(Math.max(2, (int) (height / 34)));
    double labels =
        ticks.stream()
            .mapToDouble(it -> TextWidth.of(Scale.label(it), Drawing.FONT))
            .max()
            .orElse(0);
    this.drawing = drawing;
    this.x = x;
    this.y = y;
    this.left = drawing.left() + labels + 6;
    this.right = drawing.right();
    this.top = drawing.cursor() + 10;
    this.bottom = top + height;
    for (double tick : ticks) {
      drawing.line("grid", left, y(tick), right, y(tick));
      drawing.text(left - 6, y(tick) + 4.5, Drawing.Anchor.END, Scale.label(tick), labels + 0.1);
    }
    drawing.line("axis", left, bottom, right, bottom);
    drawing.moveTo(bottom + 4);
  }

  /// A plot of these points with the label of its y axis above it and that of its x axis below.
  static Plot of(
      Drawing drawing, AxisTitles titles, Scale x, Scale y, List<Tick> xTicks, double height) {
    drawing.paragraph(
        titles.y(), drawing.left(), Drawing.Anchor.START, drawing.right() - drawing.left());
    var plot = new Plot(drawing, x, y, height);
    ticks(drawing, xTicks, plot::x, plot.bottom);
    drawing.paragraph(
        titles.x(), (plot.left + plot.right) / 2, Drawing.Anchor.MIDDLE, plot.right - plot.left);
    return plot;
  }

  record AxisTitles(String x, String y) {}

  static int mostTicks(Drawing drawing) {
    return drawing.narrow() ? 6 : 10;
  }

  /// Ticks below a plot's lower edge. A label that would overlap the one before it is left out.
  static void ticks(Drawing drawing, List<Tick> ticks, DoubleUnaryOperator x, double bottom) {
    double free = drawing.left();
    for (Tick tick : ticks) {
      double at = x.applyAsDouble(tick.value());
      double width = TextWidth.of(tick.label(), Drawing.FONT) + 0.1;
      drawing.line("axis", at, bottom, at, bottom + 4);
      double middle = Math.min(at, drawing.right() - width / 2);
      if (middle - width / 2 >= free) {
        drawing.text(middle, bottom + 18, Drawing.Anchor.MIDDLE, tick.label(), width);
        free = middle + width / 2 + 8;
      }
    }
    drawing.moveTo(bottom + 22);
  }

  double x(double value) {
    return left + INSET + x.share(value) * (right - left - 2 * INSET);
  }

  double y(double value) {
    return bottom - y.share(value) * (bottom - top);
  }

  double width() {
    return right - left - 2 * INSET;
  }

  double bottom() {
    return bottom;
  }

  double top() {
    return top;
  }

  /// A line through the points, with intervals and marks.
  void line(DataSeries series, SeriesStyle style, DoubleFunction<String> place) {
    List<DataPoint> points = series.points();
    drawing.polyline(
        style, points.stream().map(it -> new double[] {x(it.x()), y(it.y().value())}).toList());
    int every = Math.ceilDiv(points.size(), MOST_MARKS);
    for (int i = 0; i < points.size(); i++) {
      DataPoint point = points.get(i);
      if (i % every == 0 || point.mark() != DataPoint.Mark.MEASURED) {
        interval(x(point.x()), point.y(), style);
        mark(series.name(), point, style, place);
      }
    }
  }

  void mark(String series, DataPoint point, SeriesStyle style, DoubleFunction<String> place) {
    mark(series, point, x(point.x()), Drawing.RADIUS, style, place);
  }

  /// @param place describes x in the tooltip
  void mark(
      String series,
      DataPoint point,
      double at,
      double radius,
      SeriesStyle style,
      DoubleFunction<String> place) {
    String state = point.mark() == DataPoint.Mark.MEASURED ? "" : ", " + point.mark().label();
    String tip = series + ", " + place.apply(point.x()) + ": " + point.y() + state;
    drawing.mark(at, y(point.y().value()), radius, style, point.mark(), tip);
  }

  /// The part of an interval that lies within the axis.
  void interval(double at, ErrorBar bar, SeriesStyle style) {
    if (bar.isKnown()) {
      boolean cutLow = y.share(bar.low()) < 0;
      boolean cutHigh = y.share(bar.high()) > 1;
      drawing.interval(
          false,
          at,
          cutLow ? bottom : y(bar.low()),
          cutHigh ? top : y(bar.high()),
          cutLow,
          cutHigh,
          style);
    }
  }

  static List<ErrorBar> bars(List<DataSeries> series) {
    return series.stream().flatMap(it -> it.points().stream()).map(DataPoint::y).toList();
  }

  static List<Double> places(List<DataSeries> series) {
    return series.stream().flatMap(it -> it.points().stream()).map(DataPoint::x).toList();
  }

  static Set<DataPoint.Mark> marks(List<DataSeries> series) {
    return series.stream()
        .flatMap(it -> it.points().stream())
        .map(DataPoint::mark)
        .collect(Collectors.toCollection(() -> EnumSet.noneOf(DataPoint.Mark.class)));
  }

  static List<String> names(List<DataSeries> series) {
    return series.stream().map(DataSeries::name).toList();
  }
}
