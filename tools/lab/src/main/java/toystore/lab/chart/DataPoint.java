package toystore.lab.chart;

import java.util.Locale;

/// A point of a series.
public record DataPoint(double x, ErrorBar y, Mark mark) {

  /// How a point is marked: single starts are small and pale, drifting ones and those whose load
  /// client shares the server's cores are hollow, overloaded ones are crosses, published values are
  /// stars.
  public enum Mark {
    MEASURED("measured"),
    START("one start"),
    DRIFTING("drifting"),
    SHARED("load client on the same cores"),
    OVERLOADED("overloaded"),
    PUBLISHED("published");

    private final String label;

    Mark(String label) {
      this.label = label;
    }

    String label() {
      return label;
    }

    String cssClass() {
      return name().toLowerCase(Locale.ROOT);
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
