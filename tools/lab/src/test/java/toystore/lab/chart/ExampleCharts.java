package toystore.lab.chart;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.DoubleUnaryOperator;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import toystore.lab.chart.CurveChart.AxisTitle;
import toystore.lab.chart.CurveChart.Spacing;
import toystore.lab.chart.DataPoint.Mark;
import toystore.lab.chart.ForestPlot.ForestRow;
import toystore.lab.stats.ConfidenceInterval;

/// Charts as the lab's pages have them, and charts of unusual data.
final class ExampleCharts {
  private static final double[] CLIENTS = {1, 2, 5, 10, 20, 50, 100};
  private static final String LONG =
      "A buy through frontend, order and catalog with <several> round trips & a disk sync, measured"
          + " over eight blocks of fresh starts in random order on one machine";

  private ExampleCharts() {}

  static List<Chart> usual() {
    return List.of(
        new ForestPlot(
            "ratios",
            "Query against buy, by number of clients",
            "Ratios of mean latency with 99 % intervals over blocks.",
            "mean latency of a buy ÷ mean latency of a query (logarithmic)",
            1.1,
            List.of(
                new ForestRow("1 client", new ConfidenceInterval(3.2, 2.9, 3.55), false, "higher"),
                new ForestRow("10 clients", new ConfidenceInterval(1.6, 1.1, 2.4), false, "higher"),
                new ForestRow(
                    "100 clients, with the published pass",
                    new ConfidenceInterval(1.05, 0.2, 40),
                    false,
                    "cannot tell within ±80 %"),
                new ForestRow(
                    "baseline again (A/A)",
                    new ConfidenceInterval(1.01, 0.96, 1.06),
                    false,
                    "no difference (±10 %)"),
                new ForestRow(
                    "one block only", new ConfidenceInterval(1.3, 1.1, 1.5), true, "drifting"))),
        new CurveChart(
            "percentiles",
            "How long a call takes",
            "Latency by percentile.",
            new AxisTitle("percentile of calls", Spacing.PERCENTILE),
            new AxisTitle("latency, ms (logarithmic)", Spacing.LOGARITHMIC),
            true,
            List.of(
                distribution("query", 0.999, 0.4),
                distribution("buy", 0.999, 1.4),
                distribution("buy over TCP", 0.99, 2.1))),
        new CurveChart(
            "drift",
            "Mean latency since the start",
            "Mean latency by seconds since ready.",
            new AxisTitle("seconds since ready", Spacing.LINEAR),
            new AxisTitle("mean latency, ms (logarithmic)", Spacing.LOGARITHMIC),
            false,
            List.of(strip("query", 0.5, Mark.MEASURED), strip("buy", 2, Mark.DRIFTING))),
        new StartsChart(
            "starts",
            "Every start, and the mean over starts",
            "Mean latency of starts by clients.",
            "clients",
            "mean latency, ms (logarithmic)",
            List.of(
                cells("query", 0.4, true), cells("buy", 1.5, true), cells("lookup", 0.9, false))),
        new CurveChart(
            "throughput",
            "Throughput by number of clients",
            "Throughput.",
            new AxisTitle("clients (logarithmic)", Spacing.LOGARITHMIC),
            new AxisTitle("requests per second", Spacing.LINEAR),
            true,
            List.of(
                series("query", x -> 9000 * x / (x + 8)), series("buy", x -> 3000 * x / (x + 4)),
                series("lookup", x -> 5000 * x / (x + 20)),
                    series("trade", x -> 1200 * x / (x + 2)),
                series("mix", x -> 6500 * x / (x + 9)), series("cart", x -> 4000 * x / (x + 12)),
                series("search", x -> 2000 * x / (x + 6)),
                    series("null server", x -> 12000 * x / (x + 3)))),
        new CurveChart(
            "rate",
            "p50 and p99 by rate",
            "Latency of the open loop by rate.",
            new AxisTitle("requests per second", Spacing.LINEAR),
            new AxisTitle("latency, ms (logarithmic)", Spacing.LOGARITHMIC),
            true,
            List.of(rate("p50", 0.8), rate("p99", 5))));
  }

  static List<Chart> unusual() {
    var point = List.of(DataPoint.of(1, 5));
    var one = List.of(new DataSeries("one", point));
    var huge =
        List.of(
            new DataSeries(
                LONG,
                List.of(
                    DataPoint.of(1, new ConfidenceInterval(1e-9, 0, 1)), DataPoint.of(1e9, 1e12))),
            new DataSeries("W".repeat(300), List.of(DataPoint.of(1e4, 3).as(Mark.OVERLOADED))));
    var logarithmic = new AxisTitle(LONG, Spacing.LOGARITHMIC);
    var percentile = new AxisTitle("percentile of calls", Spacing.PERCENTILE);
    var linear = new AxisTitle("x", Spacing.LINEAR);
    var warmUp =
        IntStream.range(0, 600).mapToObj(i -> DataPoint.of(i, 4000.0 * i / (i + 20))).toList();
    return List.of(
        new CurveChart("a", "one", "d", linear, linear, true, one),
        new CurveChart("b", "none", "d", linear, linear, true, List.of()),
        new CurveChart("c", LONG + LONG + LONG + LONG, "d", logarithmic, logarithmic, true, huge),
        new CurveChart("d", "huge", "d", linear, linear, true, huge),
        new CurveChart(
            "e",
            "negative",
            "d",
            linear,
            linear,
            true,
            List.of(new DataSeries("n", List.of(DataPoint.of(-5, -3), DataPoint.of(5, 0.001))))),
        new CurveChart(
            "f", "warm-up", "d", linear, linear, true, List.of(new DataSeries("mix", warmUp))),
        new CurveChart("g", LONG, "d", linear, logarithmic, false, huge),
        new CurveChart("h", "one", "d", linear, logarithmic, false, one),
        new CurveChart(
            "i",
            "few calls",
            "d",
            percentile,
            logarithmic,
            true,
            List.of(new DataSeries(LONG, List.of(DataPoint.of(0.5, 3))))),
        new CurveChart(
            "k",
            "many calls",
            "d",
            percentile,
            logarithmic,
            true,
            List.of(
                new DataSeries(
                    "many calls",
                    DoubleStream.of(0, 0.5, 0.99, 0.99999)
                        .mapToObj(it -> DataPoint.of(it, 1 + it))
                        .toList()))),
        new StartsChart("l", "one", "d", "clients", "ms", one),
        new StartsChart(
            "m",
            LONG,
            "d",
            LONG,
            LONG,
            IntStream.range(0, 8).mapToObj(i -> cells(i + LONG, Math.pow(10, i), true)).toList()),
        new ForestPlot(
            "n",
            "one",
            "d",
            "ratio",
            1,
            List.of(new ForestRow("x", ConfidenceInterval.of(1), false, ""))),
        new ForestPlot(
            "o",
            LONG,
            "d",
            LONG,
            1.25,
            List.of(
                new ForestRow(LONG, new ConfidenceInterval(1e-6, 1e-9, 1e6), true, LONG),
                new ForestRow(
                    "W".repeat(300), ConfidenceInterval.of(1e6), false, "W".repeat(300)))),
        new ForestPlot("p", "none", "d", "ratio", 1.1, List.of()));
  }

  private static DataSeries series(String name, DoubleUnaryOperator y) {
    return new DataSeries(
        name,
        DoubleStream.of(CLIENTS)
            .mapToObj(x -> DataPoint.of(x, bar(y.applyAsDouble(x), 0.12)))
            .toList());
  }

  private static DataSeries rate(String name, double millis) {
    return new DataSeries(
        name,
        IntStream.rangeClosed(1, 9)
            .mapToObj(i ->
                DataPoint.of(400 * i, bar(millis / (10 - i), 0.1))
                    .as(i == 9 ? Mark.OVERLOADED : Mark.MEASURED))
            .toList());
  }

  private static DataSeries strip(String name, double millis, Mark mark) {
    var random = new Random(4);
    return new DataSeries(
        name,
        IntStream.range(0, 24)
            .mapToObj(i ->
                DataPoint.of(
                        30 + 5 * i,
                        millis * (1 + 10.0 / (i + 10)) * (1 + 0.05 * random.nextGaussian()))
                    .as(mark))
            .toList());
  }

  private static DataSeries distribution(String name, double highest, double millis) {
    return new DataSeries(
        name,
        Stream.of(0.0, 0.25, 0.5, 0.75, 0.9, 0.95, 0.98, 0.99, 0.995, 0.999)
            .filter(it -> it <= highest)
            .map(it -> DataPoint.of(it, millis * (0.5 - Math.log10(1 - it))))
            .toList());
  }

  private static DataSeries cells(String name, double millis, boolean published) {
    var random = new Random(5);
    var means = series(name, x -> millis * (1 + x / 15)).points();
    var points = new ArrayList<DataPoint>(means);
    for (DataPoint mean : means) {
      for (int i = 0; i < 8; i++) {
        double start = mean.y().value() * Math.exp(0.12 * random.nextGaussian());
        points.add(DataPoint.of(mean.x(), start).as(Mark.START));
      }
      if (published && mean.x() <= 20) {
        points.add(DataPoint.of(mean.x(), 1.6 * mean.y().value()).as(Mark.PUBLISHED));
      }
    }
    return new DataSeries(name, points);
  }

  private static ConfidenceInterval bar(double value, double share) {
    return new ConfidenceInterval(value, value * (1 - share), value * (1 + share));
  }
}
