package toystore.lab.chart;

import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// Named points in ascending order of x.
public record DataSeries(String name, List<DataPoint> points) {
  public DataSeries {
    points = points.stream().sorted(Comparator.comparingDouble(DataPoint::x)).toList();
  }

  static List<ErrorBar> bars(List<DataSeries> series) {
    return points(series).map(DataPoint::y).toList();
  }

  static List<Double> places(List<DataSeries> series) {
    return points(series).map(DataPoint::x).distinct().sorted().toList();
  }

  static Set<DataPoint.Mark> marks(List<DataSeries> series) {
    return points(series).map(DataPoint::mark).collect(Collectors.toCollection(TreeSet::new));
  }

  private static Stream<DataPoint> points(List<DataSeries> series) {
    return series.stream().flatMap(it -> it.points().stream());
  }
}
