package toystore.lab.chart;

/// A point of a series.
public record DataPoint(double x, ErrorBar y, Mark mark) {

  /// How a point is marked: drifting ones are hollow, overloaded ones are crosses, published values
  /// are stars.
  public enum Mark {
    MEASURED("measured"),
    DRIFTING("drifting"),
    OVERLOADED("overloaded"),
    PUBLISHED("published");

    private final String label;

    Mark(String label) {
      this.label = label;
    }

    String label() {
      return label;
    }
  }

  public DataPoint {
    if (!Double.isFinite(x)) {
      throw new IllegalArgumentException("expected a finite x, got " + x);
    }
  }

  public static DataPoint of(double x, double y) {
    return new DataPoint(x, ErrorBar.of(y), Mark.MEASURED);
  }

  public static DataPoint of(double x, ErrorBar y) {
    return new DataPoint(x, y, Mark.MEASURED);
  }

  public DataPoint as(Mark other) {
    return new DataPoint(x, y, other);
  }
}
