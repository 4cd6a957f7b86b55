package toystore.lab.chart;

import java.util.List;
import java.util.stream.IntStream;
import toystore.lab.chart.DataPoint.Mark;

/// Every start as a small point, with the mean and its interval beside it, by number of clients on
/// a logarithmic y axis. Published values are stars. The narrow layout has a plot a series, all on
/// the same axis.
public record StartsChart(
    String name,
    String title,
    String description,
    String xLabel,
    String yLabel,
    List<DataSeries> series)
    implements Chart {
  private static final double PANEL_HEIGHT = 0.6;

  public StartsChart {
    series = List.copyOf(series);
  }

  @Override
  public void draw(Drawing drawing) {
    drawing.title(title);
    if (drawing.narrow() && series.size() > 1) {
      for (int i = 0; i < series.size(); i++) {
        plot(drawing, series.get(i).name() + ": " + yLabel, PANEL_HEIGHT, i, 1);
        drawing.moveTo(drawing.cursor() + 8);
      }
    } else {
      plot(drawing, yLabel, 1, 0, series.size());
    }
    drawing.legend(series, false);
  }

  private void plot(Drawing drawing, String label, double share, int first, int count) {
    List<Double> columns = DataSeries.places(series);
    var plot =
        new Plot(
            drawing,
            xLabel,
            label,
            new Scale(false, -0.5, Math.max(1, columns.size()) - 0.5),
            Scale.logarithmic(DataSeries.values(series)),
            IntStream.range(0, columns.size())
                .mapToObj(i -> new Axis.Tick(i, Scale.label(columns.get(i))))
                .toList(),
            share * drawing.plotHeight());
    IntStream.range(1, columns.size()).forEach(i -> plot.separator(i - 0.5));
    for (int i = 0; i < count; i++) {
      draw(first + i, columns, (i + 0.5) / count, 1.0 / count, plot);
    }
  }

  // a series has a lane in each column: starts left of its middle, mean and published value right
  private void draw(int index, List<Double> columns, double middle, double lane, Plot plot) {
    double aside = Math.min(7, (plot.x(lane) - plot.x(0)) / 4);
    for (DataPoint point : series.get(index).points()) {
      double at = plot.x(columns.indexOf(point.x()) - 0.5 + 0.05 + 0.9 * middle);
      plot.point(
          point,
          point.mark() == Mark.START ? at - aside : at + aside,
          SeriesStyle.of(index),
          series.get(index).name() + ", " + xLabel + " " + Scale.label(point.x()));
    }
  }
}
