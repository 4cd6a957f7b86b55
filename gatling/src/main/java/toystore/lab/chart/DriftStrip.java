package toystore.lab.chart;

import java.util.List;

/// One point a start or repetition against the seconds since the subject was ready, on a
/// logarithmic y axis. Drifting ones are hollow.
public record DriftStrip(
    String name, String title, String description, String yLabel, List<DataSeries> series)
    implements Chart {
  private static final String X_LABEL = "seconds since ready";

  public DriftStrip {
    series = List.copyOf(series);
  }

  @Override
  public void draw(Drawing drawing) {
    drawing.title(title);
    Scale x = Scale.over(false, Plot.places(series));
    var plot =
        Plot.of(
            drawing,
            new Plot.AxisTitles(X_LABEL, yLabel),
            x,
            Scale.logarithmic(Plot.bars(series)),
            Plot.Tick.of(x.ticks(Plot.mostTicks(drawing))),
            drawing.plotHeight() * 0.7);
    for (int i = 0; i < series.size(); i++) {
      for (DataPoint point : series.get(i).points()) {
        plot.interval(plot.x(point.x()), point.y(), SeriesStyle.of(i));
        plot.mark(series.get(i).name(), point, SeriesStyle.of(i), it -> Scale.label(it) + " s");
      }
    }
    drawing.legend(Plot.names(series), false, Plot.marks(series));
  }
}
