package toystore.lab.chart;

/// A chart that can be written as SVG. Immutable: any thread.
public sealed interface Chart permits CurveChart, ForestPlot, StartsChart {

  /// Prefix of its ids, unique in a page: lower-case letters, digits and hyphens.
  String name();

  String title();

  /// What the chart shows, in a sentence, for readers who cannot see it.
  String description();

  void draw(Drawing drawing);

  /// A self-contained SVG file with its own background, for `<img>`.
  default String file(ChartLayout layout) {
    return svg(layout, "chart file", ChartStyle.CSS);
  }

  /// Both layouts, to be put into a page whose style sheet contains [ChartStyle#CSS]. Text has the
  /// page's colour.
  default String html() {
    return "<div class=\"charts\">\n"
        + svg(ChartLayout.WIDE, "chart wide", "")
        + svg(ChartLayout.NARROW, "chart narrow", "")
        + "</div>\n";
  }

  private String svg(ChartLayout layout, String cssClass, String style) {
    var drawing = new Drawing(layout);
    draw(drawing);
    return drawing.svg(this, name() + "-" + layout.id(), cssClass, style);
  }
}
