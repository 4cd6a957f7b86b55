package toystore.lab.chart;

import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import toystore.lab.chart.DataPoint.Mark;

/// Every start as a small point, with the mean and its interval beside it, by number of clients on
/// a logarithmic y axis. Published values are stars. The narrow layout has a plot a series, all on
/// the same axis.
public record StartsChart(
    String name, String title, String description, String xLabel, String yLabel, List<Cells> cells)
    implements Chart {
  private static final double PANEL_HEIGHT = 0.6;

  /// The cells of a series. x is the number of clients, or whatever the columns are.
  ///
  /// @param starts one point a start
  /// @param means one point a column
  /// @param published empty, or at most one point a column
  public record Cells(
      String name, List<DataPoint> starts, List<DataPoint> means, List<DataPoint> published) {
    public Cells {
      starts =
          starts.stream().map(it -> it.mark() == Mark.MEASURED ? it.as(Mark.START) : it).toList();
      means = List.copyOf(means);
      published = published.stream().map(it -> it.as(Mark.PUBLISHED)).toList();
    }

    private DataSeries all() {
      return new DataSeries(
          name, Stream.of(starts, means, published).flatMap(List::stream).toList());
    }
  }

  public StartsChart {
    cells = List.copyOf(cells);
  }

  @Override
  public void draw(Drawing drawing) {
    drawing.title(title);
    if (drawing.narrow() && cells.size() > 1) {
      for (int i = 0; i < cells.size(); i++) {
        plot(drawing, cells.get(i).name() + ": " + yLabel, PANEL_HEIGHT, i, 1);
        drawing.moveTo(drawing.cursor() + 8);
      }
    } else {
      plot(drawing, yLabel, 1, 0, cells.size());
    }
    drawing.legend(series(), false);
  }

  private List<DataSeries> series() {
    return cells.stream().map(Cells::all).toList();
  }

  private void plot(Drawing drawing, String label, double share, int first, int count) {
    List<Double> columns = DataSeries.places(series());
    var plot =
        new Plot(
            drawing,
            xLabel,
            label,
            new Scale(false, -0.5, Math.max(1, columns.size()) - 0.5),
            Scale.logarithmic(DataSeries.bars(series())),
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
    Cells shown = cells.get(index);
    double aside = Math.min(7, (plot.x(lane) - plot.x(0)) / 4);
    for (DataPoint point : shown.all().points()) {
      boolean start = shown.starts().contains(point);
      double at = plot.x(columns.indexOf(point.x()) - 0.5 + 0.05 + 0.9 * middle);
      plot.point(
          point,
          start ? at - aside : at + aside,
          SeriesStyle.of(index),
          shown.name() + ", " + xLabel + " " + Scale.label(point.x()));
    }
  }
}
