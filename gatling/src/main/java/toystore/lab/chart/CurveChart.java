package toystore.lab.chart;

import java.util.List;

/// Lines with intervals over x, as throughput over the number of clients or p99 over the rate.
/// Overloaded points are crosses.
public record CurveChart(
    String name, String title, String description, Axis x, Axis y, List<DataSeries> series)
    implements Chart {

  public record Axis(String label, boolean logarithmic) {}

  public CurveChart {
    series = List.copyOf(series);
  }

  @Override
  public void draw(Drawing drawing) {
    drawing.title(title);
    Scale xScale = Scale.over(x.logarithmic(), Plot.places(series));
    List<ErrorBar> bars = Plot.bars(series);
    var plot =
        Plot.of(
            drawing,
            new Plot.AxisTitles(x.label(), y.label()),
            xScale,
            y.logarithmic() ? Scale.logarithmic(bars) : Scale.fromZero(bars),
            Plot.Tick.of(xScale.ticks(Plot.mostTicks(drawing))),
            drawing.plotHeight());
    for (int i = 0; i < series.size(); i++) {
      plot.line(series.get(i), SeriesStyle.of(i), it -> x.label() + " " + Scale.label(it));
    }
    drawing.legend(Plot.names(series), true, Plot.marks(series));
  }
}
