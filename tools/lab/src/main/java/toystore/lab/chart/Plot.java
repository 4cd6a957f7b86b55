package toystore.lab.chart;

import java.util.List;
import java.util.function.DoubleFunction;
import java.util.function.DoubleUnaryOperator;
import java.util.stream.Collectors;
import toystore.lab.chart.DataPoint.Mark;

/// A plot with two axes, and what is drawn between them. One thread.
final class Plot {
  // a line with more points has marks on some of them only
  private static final int MOST_MARKS = 24;
  private static final double INSET = 10;

  private final Drawing drawing;
  private final Axis x;
  private final Axis y;

  /// Draws both axes, with the label of y above them and that of x below, and moves the cursor
  /// below all.
  Plot(
      Drawing drawing,
      String xLabel,
      String yLabel,
      Scale xScale,
      Scale yScale,
      List<Axis.Tick> xTicks,
      double height) {
    drawing.paragraph(yLabel, drawing.left(), Drawing.Anchor.START, drawing.width());
    List<Axis.Tick> yTicks = Axis.Tick.of(yScale.ticks(Math.max(2, (int) (height / 30))));
    double labels =
        yTicks.stream().mapToDouble(it -> TextWidth.of(it.label(), Drawing.FONT)).max().orElse(0);
    double left = drawing.left() + labels + 6;
    double top = drawing.cursor() + 10;
    this.drawing = drawing;
    x = new Axis(xScale, left + INSET, drawing.right() - INSET);
    y = new Axis(yScale, top + height, top);
    double free = Double.POSITIVE_INFINITY;
    for (Axis.Tick tick : yTicks) {
      double at = y.at(tick.value());
      drawing.line("grid", left, at, drawing.right(), at);
      if (at <= free) { // labels must not overlap
        drawing.text(left - 6, at + 4.5, Drawing.Anchor.END, tick.label(), labels);
        free = at - Drawing.LINE_HEIGHT;
      }
    }
    drawing.line("axis", left, y.from(), drawing.right(), y.from());
    drawing.moveTo(y.from() + 4);
    ticks(drawing, xTicks, x);
    drawing.paragraph(xLabel, x.middle(), Drawing.Anchor.MIDDLE, x.length());
  }

  /// Ticks below the cursor. A label that would overlap the one before it is left out.
  static void ticks(Drawing drawing, List<Axis.Tick> ticks, Axis axis) {
    double top = drawing.cursor();
    double free = drawing.left();
    for (Axis.Tick tick : ticks) {
      double at = axis.at(tick.value());
      double width = TextWidth.of(tick.label(), Drawing.FONT);
      double middle = Math.min(at, drawing.right() - width / 2);
      drawing.line("axis", at, top - 4, at, top);
      if (middle - width / 2 >= free) {
        drawing.text(middle, top + 14, Drawing.Anchor.MIDDLE, tick.label(), width);
        free = middle + width / 2 + 8;
        drawing.moveTo(top + 18);
      }
    }
  }

  double x(double value) {
    return x.at(value);
  }

  /// A vertical line over the whole plot.
  void separator(double value) {
    drawing.line("grid", x.at(value), y.from(), x.at(value), y.to());
  }

  /// The points of a series with their intervals.
  ///
  /// @param line whether a line joins them
  /// @param place where a value of x lies on the scale
  /// @param describe a value of x in a tooltip
  void series(
      DataSeries series,
      SeriesStyle style,
      boolean line,
      DoubleUnaryOperator place,
      DoubleFunction<String> describe) {
    List<DataPoint> points = series.points();
    int every = line ? Math.ceilDiv(points.size(), MOST_MARKS) : 1;
    if (line) {
      drawing.polyline(
          style,
          points.stream()
              .map(it -> Drawing.point(x.at(place.applyAsDouble(it.x())), y.at(it.y().value())))
              .collect(Collectors.joining(" ")));
    }
    for (int i = 0; i < points.size(); i++) {
      DataPoint point = points.get(i);
      if (i % every == 0 || point.mark() != Mark.MEASURED) {
        String tip = series.name() + ", " + describe.apply(point.x());
        point(point, x.at(place.applyAsDouble(point.x())), style, tip);
      }
    }
  }

  /// A point with its interval.
  ///
  /// @param tip followed by the value in the tooltip
  void point(DataPoint point, double at, SeriesStyle style, String tip) {
    drawing.interval(y, false, at, point.y(), style);
    String special = point.mark() == Mark.MEASURED ? "" : ", " + point.mark().label;
    String value = Scale.label(point.y());
    drawing.mark(point.mark(), style, at, y.at(point.y().value()), tip + ": " + value + special);
  }
}
