package toystore.lab.chart;

import java.util.Locale;
import toystore.lab.stats.ConfidenceInterval;

/// A point of a series.
public record DataPoint(double x, ConfidenceInterval y, Mark mark) {

  /// How a point is marked: single starts are small and pale, drifting ones are hollow, overloaded
  /// ones are crosses, published values are stars.
  public enum Mark {
    MEASURED("measured"),
    START("one start"),
    DRIFTING("drifting"),
    OVERLOADED("overloaded"),
    PUBLISHED("published");

    final String label;

    Mark(String label) {
      this.label = label;
    }

    String cssClass() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  public static DataPoint of(double x, double y) {
    return of(x, ConfidenceInterval.of(y));
  }

  public static DataPoint of(double x, ConfidenceInterval y) {
    return new DataPoint(x, y, Mark.MEASURED);
  }

  public DataPoint as(Mark other) {
    return new DataPoint(x, y, other);
  }
}
