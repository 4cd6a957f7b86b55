package toystore.lab.chart;

import java.util.Locale;

/// The width of a chart's view box in pixels: a text of 13 px stays readable if a phone of 320 px
/// shows the narrow chart, and a page of 600 px or more the wide one.
public enum ChartLayout {
  NARROW(340, 210),
  WIDE(720, 280);

  final int width;
  final int plotHeight;

  ChartLayout(int width, int plotHeight) {
    this.width = width;
    this.plotHeight = plotHeight;
  }

  /// Part of the ids of a chart in this layout.
  String id() {
    return name().toLowerCase(Locale.ROOT);
  }
}
