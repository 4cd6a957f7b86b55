package toystore.lab.chart;

import java.math.BigDecimal;
import java.math.MathContext;
import java.util.List;

/// Series of points with intervals over x, as throughput over the number of clients, p99 over the
/// rate or latency over the percentile.
///
/// @param lines whether points are joined; without lines, the plot is less high
public record CurveChart(
    String name,
    String title,
    String description,
    AxisTitle x,
    AxisTitle y,
    boolean lines,
    List<DataSeries> series)
    implements Chart {
  private static final List<Double> PERCENTILES =
      List.of(0.0, 0.5, 0.9, 0.99, 0.999, 0.9999, 0.99999);

  public enum Spacing {
    /// For y: from zero.
    LINEAR,
    LOGARITHMIC,
    /// Of shares of calls from 0 to less than 1, as in an HdrHistogram plot: 90 %, 99 % and 99.9 %
    /// have equal distances. For x only.
    PERCENTILE;

    // 1 ÷ the share of slower calls: logarithmic in it
    double place(double value) {
      return this == PERCENTILE ? 1 / (1 - value) : value;
    }
  }

  /// An axis with its unit.
  public record AxisTitle(String label, Spacing spacing) {
    private List<Axis.Tick> ticks(Scale scale, int most) {
      return spacing == Spacing.PERCENTILE
          ? PERCENTILES.stream()
              .map(it -> new Axis.Tick(spacing.place(it), percent(it)))
              .filter(it -> scale.contains(it.value()))
              .toList()
          : Axis.Tick.of(scale.ticks(most));
    }

    private String describe(double value) {
      return spacing == Spacing.PERCENTILE ? percent(value) : label + " " + Scale.label(value);
    }

    private static String percent(double share) {
      var percent = new BigDecimal(100 * share).round(new MathContext(7)).stripTrailingZeros();
      return percent.toPlainString() + " %";
    }
  }

  public CurveChart {
    series = List.copyOf(series);
  }

  @Override
  public void draw(Drawing drawing) {
    drawing.title(title);
    List<Double> places = DataSeries.places(series).stream().map(x.spacing::place).toList();
    Scale xScale = Scale.over(x.spacing != Spacing.LINEAR, places);
    var values = DataSeries.values(series);
    var plot =
        new Plot(
            drawing,
            x.label,
            y.label,
            xScale,
            y.spacing == Spacing.LINEAR ? Scale.fromZero(values) : Scale.logarithmic(values),
            x.ticks(xScale, drawing.mostTicks()),
            (lines ? 1 : 0.7) * drawing.plotHeight());
    for (int i = 0; i < series.size(); i++) {
      plot.series(series.get(i), SeriesStyle.of(i), lines, x.spacing::place, x::describe);
    }
    drawing.legend(series, lines);
  }
}
