package toystore.lab.chart;

import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import toystore.lab.stats.ConfidenceInterval;

/// Named points in ascending order of x.
public record DataSeries(String name, List<DataPoint> points) {
  public DataSeries {
    points = points.stream().sorted(Comparator.comparingDouble(DataPoint::x)).toList();
  }

  static Stream<DataPoint> points(List<DataSeries> series) {
    return series.stream().flatMap(it -> it.points().stream());
  }

  static List<ConfidenceInterval> values(List<DataSeries> series) {
    return points(series).map(DataPoint::y).toList();
  }

  static List<Double> places(List<DataSeries> series) {
    return points(series).map(DataPoint::x).distinct().sorted().toList();
  }
}
