package toystore.lab.chart;

import java.util.List;
import java.util.Random;
import java.util.function.DoubleUnaryOperator;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import toystore.lab.chart.CurveChart.AxisTitle;
import toystore.lab.chart.DataPoint.Mark;
import toystore.lab.chart.DistributionChart.Distribution;
import toystore.lab.chart.ForestPlot.ForestRow;
import toystore.lab.chart.StartsChart.Cells;

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
            0.9,
            1.1,
            List.of(
                new ForestRow("1 client", new ErrorBar(3.2, 2.9, 3.55), false, "higher"),
                new ForestRow("10 clients", new ErrorBar(1.6, 1.1, 2.4), false, "higher"),
                new ForestRow(
                    "100 clients, with the published pass",
                    new ErrorBar(1.05, 0.2, 40),
                    false,
                    "cannot tell within ±80 %"),
                new ForestRow(
                    "baseline again (A/A)",
                    new ErrorBar(1.01, 0.96, 1.06),
                    false,
                    "no difference (±10 %)"),
                new ForestRow("one block only", new ErrorBar(1.3, 1.1, 1.5), true, "drifting"))),
        new DistributionChart(
            "percentiles",
            "How long a call takes",
            "Latency by percentile.",
            "latency, ms (logarithmic)",
            List.of(
                distribution("query", 0.999, 0.4),
                distribution("buy", 0.999, 1.4),
                distribution("buy over TCP", 0.99, 2.1))),
        new DriftStrip(
            "drift",
            "Mean latency since the start",
            "Mean latency by seconds since ready.",
            "mean latency, ms (logarithmic)",
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
            new AxisTitle("clients (logarithmic)", true),
            new AxisTitle("requests per second", false),
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
            new AxisTitle("requests per second", false),
            new AxisTitle("latency, ms (logarithmic)", true),
            List.of(rate("p50", 0.8), rate("p99", 5))),
        new Sparkline(
            "card",
            "Latency by clients",
            "Latency of query and buy.",
            List.of(series("query", x -> 0.4 + 0.02 * x), series("buy", x -> 1.4 + 0.05 * x))));
  }

  static List<Chart> unusual() {
    var point = List.of(DataPoint.of(1, 5));
    var one = List.of(new DataSeries("one", point));
    var huge =
        List.of(
            new DataSeries(
                LONG, List.of(DataPoint.of(1, new ErrorBar(1e-9, 0, 1)), DataPoint.of(1e9, 1e12))),
            new DataSeries("W".repeat(300), List.of(DataPoint.of(1e4, 3).as(Mark.OVERLOADED))));
    var logarithmic = new AxisTitle(LONG, true);
    var linear = new AxisTitle("x", false);
    var warmUp =
        IntStream.range(0, 600).mapToObj(i -> DataPoint.of(i, 4000.0 * i / (i + 20))).toList();
    return List.of(
        new CurveChart("a", "one", "d", linear, linear, one),
        new CurveChart("b", "none", "d", linear, linear, List.of()),
        new CurveChart("c", LONG + LONG + LONG + LONG, "d", logarithmic, logarithmic, huge),
        new CurveChart("d", "huge", "d", linear, linear, huge),
        new CurveChart(
            "e",
            "negative",
            "d",
            linear,
            linear,
            List.of(new DataSeries("n", List.of(DataPoint.of(-5, -3), DataPoint.of(5, 0.001))))),
        new CurveChart(
            "f",
            "warm-up",
            "d",
            new AxisTitle("seconds", false),
            new AxisTitle("requests per second", false),
            List.of(new DataSeries("mix", warmUp))),
        new DriftStrip("g", LONG, "d", LONG, huge),
        new DriftStrip("h", "one", "d", "ms", one),
        new DistributionChart(
            "i",
            "one",
            "d",
            "ms",
            List.of(
                new Distribution(LONG, 0.5, List.of(DataPoint.of(0.5, 3), DataPoint.of(0.9, 4))))),
        new DistributionChart(
            "j",
            "nothing may be stated",
            "d",
            "ms",
            List.of(new Distribution("few calls", 0.1, List.of(DataPoint.of(0.5, 3))))),
        new DistributionChart(
            "k",
            "all",
            "d",
            "ms",
            List.of(
                new Distribution(
                    "many calls",
                    1,
                    DoubleStream.of(0, 0.5, 0.99, 0.99999, 1)
                        .mapToObj(it -> DataPoint.of(it, 1 + it))
                        .toList()))),
        new StartsChart(
            "l", "one", "d", "clients", "ms", List.of(new Cells("one", point, point, point))),
        new StartsChart(
            "m",
            LONG,
            "d",
            LONG,
            LONG,
            IntStream.range(0, 8).mapToObj(i -> cells(i + LONG, Math.pow(10, i), true)).toList()),
        new ForestPlot(
            "n", "one", "d", "ratio", 1, 1, List.of(new ForestRow("x", ErrorBar.of(1), false, ""))),
        new ForestPlot(
            "o",
            LONG,
            "d",
            LONG,
            0.8,
            1.25,
            List.of(
                new ForestRow(LONG, new ErrorBar(1e-6, 1e-9, 1e6), true, LONG),
                new ForestRow(
                    "W".repeat(300),
                    new ErrorBar(1e6, 0, Double.POSITIVE_INFINITY),
                    false,
                    "W".repeat(300)))),
        new ForestPlot("p", "none", "d", "ratio", 0.9, 1.1, List.of()),
        new Sparkline("q", "huge", "d", huge),
        new Sparkline("r", "one", "d", one));
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

  private static Distribution distribution(String name, double highest, double millis) {
    return new Distribution(
        name,
        highest,
        Stream.of(0.0, 0.25, 0.5, 0.75, 0.9, 0.95, 0.98, 0.99, 0.995, 0.999, 0.9999)
            .map(it -> DataPoint.of(it, millis * (0.5 - Math.log10(1 - it))))
            .toList());
  }

  private static Cells cells(String name, double millis, boolean published) {
    var random = new Random(5);
    var means = series(name, x -> millis * (1 + x / 15)).points();
    return new Cells(
        name,
        means.stream()
            .flatMap(mean ->
                IntStream.range(0, 8)
                    .mapToObj(i ->
                        DataPoint.of(
                            mean.x(), mean.y().value() * Math.exp(0.12 * random.nextGaussian()))))
            .toList(),
        means,
        published
            ? means.stream().limit(5).map(it -> DataPoint.of(it.x(), 1.6 * it.y().value())).toList()
            : List.of());
  }

  private static ErrorBar bar(double value, double share) {
    return new ErrorBar(value, value * (1 - share), value * (1 + share));
  }
}
