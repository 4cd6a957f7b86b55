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
    Scale x = Scale.over(false, DataSeries.places(series));
    var plot =
        new Plot(
            drawing,
            X_LABEL,
            yLabel,
            x,
            Scale.logarithmic(DataSeries.bars(series)),
            Axis.Tick.of(x.ticks(drawing.mostTicks())),
            drawing.plotHeight() * 0.7);
    for (int i = 0; i < series.size(); i++) {
      for (DataPoint point : series.get(i).points()) {
        String tip = series.get(i).name() + ", " + Scale.label(point.x()) + " s";
        plot.point(point, plot.x(point.x()), SeriesStyle.of(i), tip);
      }
    }
    drawing.legend(series, false);
  }
}
