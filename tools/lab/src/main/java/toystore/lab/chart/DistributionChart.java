package toystore.lab.chart;

import java.math.BigDecimal;
import java.math.MathContext;
import java.util.List;

/// Latency on a logarithmic axis by percentile, one curve a distribution. The percentiles are
/// spaced as in an HdrHistogram plot: 90 %, 99 % and 99.9 % have equal distances.
///
/// @param valueLabel as `latency, ms`
public record DistributionChart(
    String name,
    String title,
    String description,
    String valueLabel,
    List<Distribution> distributions)
    implements Chart {
  private static final List<Double> PERCENTILES =
      List.of(0.0, 0.5, 0.9, 0.99, 0.999, 0.9999, 0.99999);

  /// The percentiles of a series.
  ///
  /// @param highest the highest percentile that may be stated, as a share of calls; points beyond
  ///   it are left out
  /// @param points x is a share of calls, from 0 to less than 1
  public record Distribution(String name, double highest, List<DataPoint> points) {
    public Distribution {
      points = List.copyOf(points);
    }

    // 1 ÷ the share of slower calls: logarithmic in it
    private DataSeries series() {
      return new DataSeries(
          name,
          points.stream()
              .filter(it -> it.x() <= highest && it.x() < 1)
              .map(it -> new DataPoint(slowness(it.x()), it.y(), it.mark()))
              .toList());
    }
  }

  public DistributionChart {
    distributions = List.copyOf(distributions);
  }

  @Override
  public void draw(Drawing drawing) {
    drawing.title(title);
    List<DataSeries> series = distributions.stream().map(Distribution::series).toList();
    Scale x = Scale.over(true, DataSeries.places(series));
    List<Axis.Tick> ticks =
        PERCENTILES.stream()
            .filter(it -> x.contains(slowness(it)))
            .map(it -> new Axis.Tick(slowness(it), percent(it)))
            .toList();
    var plot =
        new Plot(
            drawing,
            "percentile of calls",
            valueLabel,
            x,
            Scale.logarithmic(DataSeries.bars(series)),
            ticks,
            drawing.plotHeight());
    for (int i = 0; i < series.size(); i++) {
      plot.line(series.get(i), SeriesStyle.of(i), DistributionChart::percentile);
    }
    drawing.legend(series, true);
  }

  private static double slowness(double share) {
    return 1 / (1 - share);
  }

  private static String percentile(double slowness) {
    return percent(1 - 1 / slowness);
  }

  private static String percent(double share) {
    return new BigDecimal(100 * share)
            .round(new MathContext(7))
            .stripTrailingZeros()
            .toPlainString()
        + " %";
  }
}
