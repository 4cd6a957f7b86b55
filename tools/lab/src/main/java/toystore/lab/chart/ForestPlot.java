package toystore.lab.chart;

import java.util.List;
import java.util.function.Function;
import java.util.stream.Stream;
import toystore.lab.chart.DataPoint.Mark;
import toystore.lab.chart.Drawing.Anchor;
import toystore.lab.stats.ConfidenceInterval;

/// Ratios with their intervals on a logarithmic axis, a line at 1, and a band of ratios that count
/// as no difference. The verdict stands at the right of its row, or above it in the narrow layout.
///
/// @param margin the end of the band above 1, as 1.1; it begins at 1 ÷ margin
public record ForestPlot(
    String name,
    String title,
    String description,
    String xLabel,
    double margin,
    List<ForestRow> rows)
    implements Chart {
  private static final double GAP = 12;
  private static final double STRIP = 26; // height of the part of the plot that an interval needs
  private static final int MOST_LINES = 4;

  /// A ratio with its verdict.
  ///
  /// @param drifting whether the point is hollow
  public record ForestRow(
      String label, ConfidenceInterval ratio, boolean drifting, String verdict) {}

  public ForestPlot {
    rows = List.copyOf(rows);
  }

  @Override
  public void draw(Drawing drawing) {
    drawing.title(title);
    double labels = drawing.narrow() ? GAP : column(ForestRow::label, drawing);
    double verdicts = drawing.narrow() ? GAP : column(ForestRow::verdict, drawing);
    var axis = new Axis(scale(), drawing.left() + labels, drawing.right() - verdicts);
    for (ForestRow row : rows) {
      double height = drawing.narrow() ? STRIP : Math.max(STRIP, textHeight(row, labels, verdicts));
      if (drawing.narrow()) {
        textAbove(row, drawing);
      } else {
        column(drawing, row.label(), drawing.left(), height, labels - GAP);
        column(drawing, row.verdict(), axis.to() + GAP, height, verdicts - GAP);
      }
      strip(row, axis, drawing, height);
    }
    drawing.line("axis", axis.from(), drawing.cursor(), axis.to(), drawing.cursor());
    drawing.moveTo(drawing.cursor() + 4);
    Plot.ticks(drawing, Axis.Tick.of(axis.scale().ticks(drawing.mostTicks())), axis);
    drawing.paragraph(xLabel, axis.middle(), Anchor.MIDDLE, axis.length());
  }

  private double column(Function<ForestRow, String> text, Drawing drawing) {
    return GAP
        + rows.stream()
            .mapToDouble(it -> TextWidth.of(text.apply(it), Drawing.FONT))
            .map(it -> Math.min(it, 0.3 * drawing.width()))
            .max()
            .orElse(0);
  }

  private Scale scale() {
    return Scale.logarithmic(
        Stream.concat(
                rows.stream().map(ForestRow::ratio),
                Stream.of(1 / margin, 1.0, margin).map(ConfidenceInterval::of))
            .toList());
  }

  private static double textHeight(ForestRow row, double labels, double verdicts) {
    int lines =
        Math.max(
            lines(row.label(), labels - GAP).size(), lines(row.verdict(), verdicts - GAP).size());
    return Drawing.LINE_HEIGHT * lines + 8;
  }

  private static List<String> lines(String text, double width) {
    return TextWidth.wrapped(text, Drawing.FONT, width, MOST_LINES);
  }

  // label and verdict side by side if they fit
  private static void textAbove(ForestRow row, Drawing drawing) {
    double label = TextWidth.of(row.label(), Drawing.FONT);
    double verdict = TextWidth.of(row.verdict(), Drawing.FONT);
    double start = drawing.cursor() + 8;
    drawing.moveTo(start);
    drawing.paragraph(row.label(), drawing.left(), Anchor.START, drawing.width());
    if (label + GAP + verdict <= drawing.width()) {
      drawing.moveTo(start);
      drawing.paragraph(row.verdict(), drawing.right(), Anchor.END, verdict);
    } else {
      drawing.paragraph(row.verdict(), drawing.left(), Anchor.START, drawing.width());
    }
    drawing.moveTo(Math.max(drawing.cursor(), start + Drawing.LINE_HEIGHT));
  }

  private static void column(Drawing drawing, String text, double x, double height, double width) {
    List<String> lines = lines(text, width);
    double y = drawing.cursor() + (height - Drawing.LINE_HEIGHT * lines.size()) / 2 + 13;
    for (int i = 0; i < lines.size(); i++) {
      drawing.text(x, y + i * Drawing.LINE_HEIGHT, Anchor.START, lines.get(i), width);
    }
  }

  private void strip(ForestRow row, Axis axis, Drawing drawing, double height) {
    double top = drawing.cursor();
    double middle = top + height / 2;
    double band = axis.at(1 / margin);
    drawing.band(band, top, axis.at(margin) - band, height);
    drawing.line("axis", axis.at(1), top, axis.at(1), top + height);
    drawing.interval(axis, true, middle, row.ratio(), SeriesStyle.CIRCLE);
    drawing.mark(
        row.drifting() ? Mark.DRIFTING : Mark.MEASURED,
        SeriesStyle.CIRCLE,
        axis.at(row.ratio().value()),
        middle,
        row.label() + ": " + Scale.label(row.ratio()));
    drawing.moveTo(top + height);
  }
}
