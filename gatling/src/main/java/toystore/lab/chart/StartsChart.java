package toystore.lab.chart;

import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/// Every start as a small point, with the mean and its interval beside it, by number of clients on
/// a logarithmic y axis. Published values are stars.
public record StartsChart(
    String name, String title, String description, String xLabel, String yLabel, List<Cells> cells)
    implements Chart {

  /// The cells of a series. x is the number of clients, or whatever the columns are.
  ///
  /// @param starts one point a start
  /// @param means one point a column
  /// @param published empty, or at most one point a column
  public record Cells(
      String name, List<DataPoint> starts, List<DataPoint> means, List<DataPoint> published) {
    public Cells {
      starts = List.copyOf(starts);
      means = List.copyOf(means);
      published = published.stream().map(it -> it.as(DataPoint.Mark.PUBLISHED)).toList();
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
    List<DataSeries> series = cells.stream().map(Cells::all).toList();
    List<Double> columns = Plot.places(series).stream().distinct().sorted().toList();
    var plot =
        Plot.of(
            drawing,
            new Plot.AxisTitles(xLabel, yLabel),
            new Scale(false, -0.5, Math.max(1, columns.size()) - 0.5),
            Scale.logarithmic(Plot.bars(series)),
            IntStream.range(0, columns.size())
                .mapToObj(i -> new Plot.Tick(i, Scale.label(columns.get(i))))
                .toList(),
            drawing.plotHeight());
    for (int i = 1; i < columns.size(); i++) {
      drawing.line("grid", plot.x(i - 0.5), plot.top(), plot.x(i - 0.5), plot.bottom());
    }
    for (int i = 0; i < cells.size(); i++) {
      draw(i, columns, plot);
    }
    drawing.legend(Plot.names(series), false, Plot.marks(series));
  }

  // each column has a lane a series: starts left of its middle, mean and published value right
  private void draw(int index, List<Double> columns, Plot plot) {
    Cells shown = cells.get(index);
    SeriesStyle style = SeriesStyle.of(index);
    double lane = 0.9 / cells.size();
    double middle = (index + 0.5) * lane - 0.45;
    double aside = Math.min(7, plot.width() / columns.size() * lane / 4);
    for (DataPoint start : shown.starts()) {
      double at = plot.x(columns.indexOf(start.x()) + middle) - aside;
      plot.mark(shown.name() + ", one start", start, at, 2.5, style, this::place);
    }
    for (DataPoint mean : shown.means()) {
      double at = plot.x(columns.indexOf(mean.x()) + middle) + aside;
      plot.interval(at, mean.y(), style);
      plot.mark(shown.name() + ", mean", mean, at, Drawing.RADIUS, style, this::place);
    }
    for (DataPoint value : shown.published()) {
      double at = plot.x(columns.indexOf(value.x()) + middle) + aside;
      plot.mark(shown.name(), value, at, Drawing.RADIUS, style, this::place);
    }
  }

  private String place(double x) {
    return xLabel + " " + Scale.label(x);
  }
}
