package toystore.lab.chart;

import java.util.Locale;

/// The width of a chart's view box in pixels: a text of 13 px stays readable if a phone of 320 px
/// shows the narrow chart, and a page of 600 px or more the wide one. A card is for a [Sparkline].
public enum ChartLayout {
  CARD(240, 64),
  NARROW(340, 210),
  WIDE(720, 280);

  private final int width;
  private final int plotHeight;

  ChartLayout(int width, int plotHeight) {
    this.width = width;
    this.plotHeight = plotHeight;
  }

  int width() {
    return width;
  }

  int plotHeight() {
    return plotHeight;
  }

  /// The CSS class of a chart in this layout, and part of its file's name.
  public String id() {
    return name().toLowerCase(Locale.ROOT);
  }
}
