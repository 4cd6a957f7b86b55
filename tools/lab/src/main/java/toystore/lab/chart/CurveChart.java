package toystore.lab.chart;

import java.util.List;

/// Lines with intervals over x, as throughput over the number of clients or p99 over the rate.
/// Overloaded points are crosses.
public record CurveChart(
    String name,
    String title,
    String description,
    AxisTitle x,
    AxisTitle y,
    List<DataSeries> series)
    implements Chart {

  /// An axis and its unit.
  ///
  /// @param logarithmic for y: otherwise the axis starts at zero
  public record AxisTitle(String label, boolean logarithmic) {}

  public CurveChart {
    series = List.copyOf(series);
  }

  @Override
  public void draw(Drawing drawing) {
    drawing.title(title);
    Scale xScale = Scale.over(x.logarithmic(), DataSeries.places(series));
    List<ErrorBar> bars = DataSeries.bars(series);
    var plot =
        new Plot(
            drawing,
            x.label(),
            y.label(),
            xScale,
            y.logarithmic() ? Scale.logarithmic(bars) : Scale.fromZero(bars),
            Axis.Tick.of(xScale.ticks(drawing.mostTicks())),
            drawing.plotHeight());
    for (int i = 0; i < series.size(); i++) {
      plot.line(series.get(i), SeriesStyle.of(i), it -> x.label() + " " + Scale.label(it));
    }
    drawing.legend(series, true);
  }
}
