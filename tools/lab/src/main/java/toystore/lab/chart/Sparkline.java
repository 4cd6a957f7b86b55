package toystore.lab.chart;

import java.util.List;

/// A small chart for an index card: lines from a zero axis, without labels of x. Its title is not
/// drawn, because the card has one.
public record Sparkline(String name, String title, String description, List<DataSeries> series)
    implements Chart {
  public Sparkline {
    series = List.copyOf(series);
  }

  @Override
  public List<ChartLayout> layouts() {
    return List.of(ChartLayout.CARD);
  }

  @Override
  public void draw(Drawing drawing) {
    var plot =
        new Plot(
            drawing,
            "",
            "",
            Scale.over(false, DataSeries.places(series)),
            Scale.fromZero(DataSeries.bars(series)),
            List.of(),
            drawing.plotHeight());
    for (int i = 0; i < series.size(); i++) {
      plot.line(series.get(i), SeriesStyle.of(i), Scale::label);
    }
    drawing.legend(series, true);
  }
}
