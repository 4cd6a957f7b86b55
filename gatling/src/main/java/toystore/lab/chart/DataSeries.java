package toystore.lab.chart;

import java.util.Comparator;
import java.util.List;

/// Named points in ascending order of x.
public record DataSeries(String name, List<DataPoint> points) {
  public DataSeries {
    points = points.stream().sorted(Comparator.comparingDouble(DataPoint::x)).toList();
  }
}
