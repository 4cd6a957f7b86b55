package toystore.lab.chart;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.DoubleStream;

/// Ratios with their intervals on a logarithmic axis, a line at 1, and a band of ratios that count
/// as no difference. The verdict stands at the right of its row, or above it in the narrow layout.
///
/// @param marginLow start of the band, as 0.9; 1 if there is none
/// @param marginHigh end of the band, as 1.1; 1 if there is none
public record ForestPlot(
    String name,
    String title,
    String description,
    String xLabel,
    double marginLow,
    double marginHigh,
    List<ForestRow> rows)
    implements Chart {
  private static final double GAP = 12;
  private static final double STRIP = 26; // height of an interval's part of the plot
  private static final int MOST_LINES = 4;

  /// @param drifting whether the point is hollow
  public record ForestRow(String label, ErrorBar bar, boolean drifting, String verdict) {}

  public ForestPlot {
    if (!(marginLow <= 1 && marginHigh >= 1)) {
      throw new IllegalArgumentException(
          "expected a margin around 1, got %s to %s".formatted(marginLow, marginHigh));
    }
    rows = List.copyOf(rows);
  }

  @Override
  public void draw(Drawing drawing) {
    drawing.title(title);
    double width = drawing.right() - drawing.left();
    double labels =
        drawing.narrow() ? 0 : column(rows.stream().map(ForestRow::label).toList(), width);
    double verdicts =
        drawing.narrow() ? 0 : column(rows.stream().map(ForestRow::verdict).toList(), width);
    var strip = new Strip(drawing, scale(), drawing.left() + labels, drawing.right() - verdicts);
    for (ForestRow ratio : rows) {
      if (drawing.narrow()) {
        drawing.paragraph(ratio.label(), drawing.left(), Drawing.Anchor.START, width);
        drawing.paragraph(ratio.verdict(), drawing.right(), Drawing.Anchor.END, width);
        strip.draw(ratio, drawing.cursor() + 4, STRIP);
        drawing.moveTo(drawing.cursor() + STRIP + 8);
      } else {
        List<String> label = lines(ratio.label(), labels - GAP);
        List<String> verdict = lines(ratio.verdict(), verdicts - GAP);
        double height =
            Math.max(STRIP, Drawing.LINE_HEIGHT * Math.max(label.size(), verdict.size()) + 8);
        strip.draw(ratio, drawing.cursor(), height);
        column(drawing, label, drawing.left(), height, labels - GAP);
        column(drawing, verdict, strip.right() + GAP, height, verdicts - GAP);
        drawing.moveTo(drawing.cursor() + height);
      }
    }
    strip.axis();
    drawing.paragraph(
        xLabel,
        (strip.left() + strip.right()) / 2,
        Drawing.Anchor.MIDDLE,
        strip.right() - strip.left());
  }

  private static double column(List<String> texts, double width) {
    double widest =
        texts.stream().mapToDouble(it -> TextWidth.of(it, Drawing.FONT)).max().orElse(0);
    return Math.min(widest, 0.3 * width) + GAP + 0.1;
  }

  private static List<String> lines(String text, double width) {
    return TextWidth.wrapped(text, Drawing.FONT, width, MOST_LINES);
  }

  private static void column(
      Drawing drawing, List<String> lines, double x, double height, double width) {
    double y = drawing.cursor() + (height - Drawing.LINE_HEIGHT * lines.size()) / 2 + 13;
    for (String line : lines) {
      drawing.text(x, y, Drawing.Anchor.START, line, width);
      y += Drawing.LINE_HEIGHT;
    }
  }

  private Scale scale() {
    var bars = new ArrayList<>(rows.stream().map(ForestRow::bar).toList());
    DoubleStream.of(marginLow, 1, marginHigh).mapToObj(ErrorBar::of).forEach(bars::add);
    return Scale.logarithmic(bars);
  }

  /// The columns of the plot between label and verdict.
  private final class Strip {
    private final Drawing drawing;
    private final Scale scale;
    private final double left;
    private final double right;

    Strip(Drawing drawing, Scale scale, double left, double right) {
      this.drawing = drawing;
      this.scale = scale;
      this.left = left;
      this.right = right;
    }

    double left() {
      return left;
    }

    double right() {
      return right;
    }

    private double x(double ratio) {
      return left + scale.share(ratio) * (right - left);
    }

    void draw(ForestRow ratio, double top, double height) {
      drawing.band(x(marginLow), top, x(marginHigh) - x(marginLow), height);
      drawing.line("axis", x(1), top, x(1), top + height);
      double middle = top + height / 2;
      ErrorBar bar = ratio.bar();
      if (bar.isKnown()) {
        boolean cutLow = scale.share(bar.low()) < 0;
        boolean cutHigh = scale.share(bar.high()) > 1;
        drawing.interval(
            true,
            middle,
            cutLow ? left : x(bar.low()),
            cutHigh ? right : x(bar.high()),
            cutLow,
            cutHigh,
            SeriesStyle.CIRCLE);
      }
      drawing.mark(
          x(bar.value()),
          middle,
          Drawing.RADIUS,
          SeriesStyle.CIRCLE,
          ratio.drifting() ? DataPoint.Mark.DRIFTING : DataPoint.Mark.MEASURED,
          ratio.label() + ": " + bar);
    }

    void axis() {
      double bottom = drawing.cursor();
      drawing.line("axis", left, bottom, right, bottom);
      List<Double> ticks = scale.ticks(Plot.mostTicks(drawing));
      Plot.ticks(drawing, Plot.Tick.of(ticks), this::x, bottom);
    }
  }
}
